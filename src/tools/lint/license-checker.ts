import { z } from "zod";
import { type Report, toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { checkPackages, checkText } from "../../lib/spdx/check.ts";
import { findLockFile, readPackages } from "../../lib/spdx/packages.ts";
import { readTerms } from "../../lib/spdx/terms.ts";
import { readDocument } from "../document.ts";
import { findingOf, toSortedFindings } from "../findings.ts";
import { toMarkedReport } from "../json-mark.ts";
import { licenseCheckerExamples, toCounts } from "../license-checker-parts.ts";
import { refusingOption } from "../refusing.ts";

const terms = z.array(z.string().max(200)).max(1000).default([]);

export default defineTool({
  slug: "license-checker",
  title: "License checker",
  summary:
    "Check the licences of a lock file, a bill of materials or an expression against those that are allowed.",
  page: {
    tile: "SPDX, lock files, SBOMs",
    layout: "check",
    view: "report",
    options: ["allow", "deny", "unknown"],
    labels: { data: "Packages", allow: "Allowed", deny: "Denied", ignore: "Leave out" },
  },
  accepts: "an SPDX expression, package.json, package-lock.json, CycloneDX or SPDX JSON",
  aliases:
    "license-checker, licence checker, spdx, spdx expression, validate license, license compliance, sbom licenses, cyclonedx, allowed licenses, deny gpl, dependency licenses, open source licenses, license audit",
  input: z.object({
    data: z
      .string()
      .describe(
        "An SPDX expression, or package.json, package-lock.json, CycloneDX or SPDX 2 in JSON; yarn.lock and pnpm-lock.yaml have no licences",
      ),
    allow: terms.describe(
      "Licences to allow, all by default: identifiers of SPDX, also with + or WITH, LicenseRef-NAME, or GPL-* for all that begin so",
    ),
    deny: terms.describe("Licences to deny, written as those of allow"),
    unknown: z
      .enum(["error", "warn"])
      .default("error")
      .describe("Severity of packages without a licence, or with one that is no SPDX expression"),
    ignore: z
      .array(z.string().max(300))
      .max(1000)
      .default([])
      .describe("Packages to leave out: NAME or NAME@VERSION"),
    production: z.boolean().default(false).describe("Leave out packages for development"),
  }),
  examples: licenseCheckerExamples,
  isolate: "process",
  check: "report",
  async run({ data, ignore, production, ...of }): Promise<Report> {
    const wanted = refusingOption("allow", () => readTerms(of));
    const unknown = of.unknown === "warn" ? "warning" : "error";
    const lock = findLockFile(data);
    if (lock !== undefined) return toReport([findingOf("no-licenses", lock.message, unknown)]);
    if (!/^\s*[[{]/.test(data)) return toReport(toSortedFindings(data, checkText(data, wanted)));
    const document = await readDocument(data, "json");
    if ("errors" in document) return document;
    const list = readPackages(document.value);
    if ("message" in list) {
      const finding = list.isList
        ? findingOf("no-licenses", list.message, unknown)
        : findingOf("unknown-document", list.message);
      return toMarkedReport(data, "json", [finding]);
    }
    const options = { terms: wanted, unknown, ignore: new Set(ignore), production } as const;
    const { findings, counts } = checkPackages(list.packages, options);
    const report = toMarkedReport(data, "json", document.locate(findings));
    return { ...report, detail: { name: "licenses", json: toCounts(counts) } };
  },
});
