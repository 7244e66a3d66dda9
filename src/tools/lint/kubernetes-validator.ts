import { z } from "zod";
import type { Report } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { isJson } from "../../lib/kubernetes/read.ts";
import { releaseOf } from "../../lib/kubernetes/releases.ts";
import { validateManifests } from "../../lib/kubernetes/validate.ts";
import { toMarkedReport } from "../json-mark.ts";
import { kubernetesValidatorExamples } from "../kubernetes-validator-examples.ts";
import { toSortedFindings } from "../findings.ts";
import { refusing } from "../refusing.ts";

const severity = { error: "error", warn: "warning", skip: "skip" } as const;

export default defineTool({
  slug: "kubernetes-validator",
  title: "Kubernetes validator",
  summary:
    "Validate Kubernetes manifests and custom resources without a cluster: fields, names, selectors, API versions.",
  page: {
    tile: "Manifests, by the API of a release",
    layout: "check",
    view: "report",
    options: ["version", "strict", "missing", "deprecated"],
    labels: {
      data: "Manifests",
      strict: "Unknown fields are errors",
      missing: "Kinds without a schema",
      deprecated: "Deprecated versions",
      crds: "Definitions of custom resources",
      ignore: "Leave out",
    },
  },
  accepts: "Kubernetes manifests in YAML or JSON",
  aliases:
    "kubernetes, k8s, kubeconform, kubeval, validate kubernetes manifest, kubernetes yaml, manifest lint, kubectl validate, kubectl apply --dry-run, kubernetes schema, deprecated kubernetes api, removed api version, pluto, crd, custom resource definition, validate custom resource",
  input: z.object({
    data: z.string().describe("The manifests: a YAML stream, JSON, or a List"),
    version: z
      .enum(["1.33", "1.34", "1.35", "1.36"])
      .default("1.36")
      .describe("Release of Kubernetes; 1.35 is validated by the types of 1.36, with a note in the result"),
    strict: z.boolean().default(true).describe("Unknown fields are errors"),
    crds: z
      .string()
      .max(16_777_216)
      .default("")
      .describe("CustomResourceDefinitions of other kinds, as a YAML stream; those in data are used too"),
    missing: z
      .enum(["warn", "error", "skip"])
      .default("warn")
      .describe("Kinds that neither the release nor a CustomResourceDefinition has"),
    deprecated: z
      .enum(["warn", "error", "skip"])
      .default("warn")
      .describe("Versions of the API that are deprecated; removed ones are always errors"),
    ignore: z
      .array(z.string().max(320))
      .max(100)
      .default([])
      .describe("Objects to leave out, by GROUP/Kind or Kind"),
  }),
  whenOff: { strict: "Report unknown fields as warnings" },
  examples: kubernetesValidatorExamples,
  isolate: "process",
  check: "report",
  async run({ data, version, strict, crds, ignore, ...of }): Promise<Report> {
    const minor = Number(version.slice(2));
    const options = {
      minor,
      unknown: strict ? "error" : "warning",
      crds,
      missing: severity[of.missing],
      deprecated: severity[of.deprecated],
      ignore,
    } as const;
    const found = await refusing(crds, () => validateManifests(data, options), "crds");
    const report = toMarkedReport(data, isJson(data) ? "json" : "yaml", toSortedFindings(data, found));
    if (releaseOf(minor) === minor) return report;
    const note = `The types are those of 1.${releaseOf(minor)}, because none of ${version} are available.`;
    return { ...report, detail: { name: "note", json: JSON.stringify(note) } };
  },
});
