import type { Example } from "../catalog/tool.ts";
import { compareCodePoints } from "../lib/json/code-point-order.ts";

/** Most licences of which the number of packages is reported. */
const maxCounted = 1000;

/** Writes how many packages have each licence as JSON, the commonest first. */
export function toCounts(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].toSorted(([a, one], [b, other]) => other - one || compareCodePoints(a, b));
  const lines = sorted
    .slice(0, maxCounted)
    .map(([license, count]) => `  ${JSON.stringify(license.toWellFormed())}: ${count}`);
  return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n}`;
}

interface Input {
  data: string;
  allow?: string[];
  deny?: string[];
  unknown?: "error" | "warn";
  ignore?: string[];
  production?: boolean;
}

const lock = `{
  "name": "shop",
  "lockfileVersion": 3,
  "packages": {
    "": { "name": "shop" },
    "node_modules/left": { "version": "1.0.0", "license": "MIT" },
    "node_modules/right": { "version": "2.1.0", "license": "GPL-3.0-only" },
    "node_modules/tests": { "version": "1.4.0", "dev": true, "license": "Apache 2.0" }
  }
}
`;

/** Common uses of license-checker. */
export const licenseCheckerExamples: Example<Input>[] = [
  {
    title: "An expression, of which one side is acceptable",
    input: { data: "MIT OR GPL-3.0-only", deny: ["GPL-*"] },
    result: '{\n  "valid": true,\n  "errors": []\n}',
  },
  {
    title: "The packages of a lock file of npm, with a warning of what is no identifier",
    input: { data: lock, deny: ["GPL-*", "AGPL-*"], unknown: "warn" },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "right@2.1.0 has the denied licence GPL-3.0-only.",\n      "severity": "error",\n      "rule": "denied-license",\n      "line": 7,\n      "column": 60,\n      "offset": 214,\n      "pointer": "/packages/node_modules~1right/license"\n    },\n    {\n      "message": "tests@1.4.0 has a licence that is no SPDX expression: Apache 2.0; probably Apache-2.0.",\n      "severity": "warning",\n      "rule": "unknown-license",\n      "line": 8,\n      "column": 73,\n      "offset": 304,\n      "pointer": "/packages/node_modules~1tests/license"\n    }\n  ],\n  "licenses": {\n    "Apache 2.0": 1,\n    "GPL-3.0-only": 1,\n    "MIT": 1\n  }\n}',
  },
  {
    title: "A bill of materials in CycloneDX",
    input: {
      data: '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[\n{"type":"library","name":"a","version":"1","licenses":[{"license":{"id":"MIT"}}]}]}',
      allow: ["Apache-2.0"],
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "a@1 has MIT, which is not among the allowed licences.",\n      "severity": "error",\n      "rule": "license-not-allowed",\n      "line": 2,\n      "column": 73,\n      "offset": 132,\n      "pointer": "/components/0/licenses/0/license/id"\n    }\n  ],\n  "licenses": {\n    "MIT": 1\n  }\n}',
  },
  {
    title: "An expression at fault",
    input: { data: "MIT/Apache-2.0" },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "\\"MIT/Apache-2.0\\" is not on the SPDX licence list; write OR in the place of /.",\n      "severity": "error",\n      "rule": "syntax",\n      "line": 1,\n      "column": 1,\n      "offset": 0,\n      "pointer": ""\n    }\n  ]\n}',
  },
];
