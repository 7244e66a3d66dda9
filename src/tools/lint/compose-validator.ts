import { z } from "zod";
import type { Report } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { validateCompose } from "../../lib/compose/validate.ts";
import { isJson } from "../../lib/kubernetes/read.ts";
import { composeValidatorExamples } from "../compose-validator-examples.ts";
import { toSortedFindings } from "../findings.ts";
import { toMarkedReport } from "../json-mark.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "compose-validator",
  title: "Compose validator",
  summary:
    "Validate a Compose file without Docker: keys, types, ports, volumes, references, cycles and variables.",
  page: {
    tile: "Services, ports, references",
    layout: "check",
    view: "report",
    options: ["strict"],
    labels: {
      data: "Compose file",
      env: "Variables (.env)",
      strict: "The file is the whole project",
    },
  },
  accepts: "a Compose file",
  aliases:
    "docker-compose.yml, docker compose, docker compose config, docker-compose validate, compose.yaml, compose lint, validate docker-compose, compose spec, compose validator, check docker compose",
  input: z.object({
    data: z.string().describe("The Compose file, in YAML or JSON"),
    env: z
      .string()
      .max(1_048_576)
      .default("")
      .describe(
        "The variables of the project as a dotenv file: those that ${NAME:?} needs must be set, and values are checked after they were replaced; without it, defaults stand for the values",
      ),
    strict: z
      .boolean()
      .default(false)
      .describe(
        "Whether the file is the whole project: networks, services and the like that another file may define are errors",
      ),
  }),
  examples: composeValidatorExamples,
  isolate: "process",
  check: "report",
  async run({ data, env, strict }): Promise<Report> {
    const found = await refusing(env, () => validateCompose(data, { env, strict }), "env");
    return toMarkedReport(data, isJson(data) ? "json" : "yaml", toSortedFindings(data, found));
  },
});
