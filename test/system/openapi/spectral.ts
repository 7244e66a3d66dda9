import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

/** A finding of Spectral. */
export interface Finding {
  code: string | number;
  message: string;
  path: (string | number)[];
}

// The packages are not installed where penknife's own types are checked.
const { Document, Ruleset, Spectral } = require("@stoplight/spectral-core") as {
  Document: new (text: string, parser: unknown, source: string) => unknown;
  Ruleset: new (rules: unknown, options: { severity: "recommended"; source: string }) => unknown;
  Spectral: new () => { setRuleset(ruleset: unknown): void; run(document: unknown): Promise<Finding[]> };
};
const { Yaml } = require("@stoplight/spectral-parsers") as { Yaml: unknown };
const { oas } = require("@stoplight/spectral-rulesets") as { oas: unknown };

const ruleset = new Ruleset(
  {
    extends: oas,
    rules: {
      // The contact is the operator of each installation, and the executable does not know who that is.
      "info-contact": "off",
    },
    overrides: [
      // There is a response for each status that a request can get. No operation has 405: other methods get it.
      {
        files: ["**#/components/responses/MethodNotAllowed"],
        rules: { "oas3-unused-component": "off" },
      },
    ],
  },
  { severity: "recommended", source: fileURLToPath(import.meta.url) },
);

/** Returns what Spectral finds in the file with its rules for OpenAPI, as its command does, which needs 1,500 files more. */
export async function lint(file: string): Promise<Finding[]> {
  const spectral = new Spectral();
  spectral.setRuleset(ruleset);
  return spectral.run(new Document(readFileSync(file, "utf8"), Yaml, file));
}
