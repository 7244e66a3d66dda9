import { z } from "zod";
import { type Report, toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { lintDockerfile } from "../../lib/dockerfile/lint.ts";
import { dockerfileLinterExamples } from "../dockerfile-linter-examples.ts";
import { toFindings } from "../findings.ts";
import { refusingOption } from "../refusing.ts";

export default defineTool({
  slug: "dockerfile-linter",
  title: "Dockerfile linter",
  summary:
    "Check a Dockerfile for what a build refuses and for bad practice, and know the rules by hadolint's numbers.",
  page: {
    tile: "Syntax, images, packages, shell",
    layout: "check",
    view: "report",
    options: ["pin", "ignore"],
    labels: {
      data: "Dockerfile",
      ignore: "Ignored rules",
      trustedRegistries: "Trusted registries",
      pin: "Images must have",
      labels: "Required labels",
    },
  },
  accepts: "a Dockerfile",
  aliases:
    "dockerfile, hadolint, containerfile, dockerfile lint, lint dockerfile, docker lint, dockerfilelint, check dockerfile, docker build --check, dockerfile best practices, dockerfile validator",
  input: z.object({
    data: z.string().describe("The Dockerfile"),
    ignore: z
      .array(z.string().min(1).max(64))
      .max(200)
      .default([])
      .describe(
        "Rules to leave out, by their name here, in hadolint (DL3008), ShellCheck (SC1018) or BuildKit (JSONArgsRecommended); comments such as # hadolint ignore=DL3008 are heeded, too",
      ),
    trustedRegistries: z
      .array(z.string().min(1).max(255))
      .max(100)
      .default([])
      .describe("Hosts that images may come from, such as docker.io or *.example.com; without any, all"),
    pin: z
      .enum(["tag", "digest", "off"])
      .default("tag")
      .describe("Whether FROM must name a tag other than latest, a digest, or neither"),
    labels: z
      .array(z.string().min(1).max(256))
      .max(100)
      .default([])
      .describe(
        "Labels that the image must have, each as NAME or NAME:FORMAT; formats are text, url, semver, hash, rfc3339, spdx and email",
      ),
  }),
  examples: dockerfileLinterExamples,
  isolate: "process",
  check: "report",
  run({ data, ...options }): Report {
    return toReport(
      toFindings(
        data,
        refusingOption("ignore", () => lintDockerfile(data, options)),
      ),
    );
  },
});
