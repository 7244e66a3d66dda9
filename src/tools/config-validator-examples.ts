import type { Example } from "../catalog/tool.ts";

interface Input {
  data: string;
  name?: string;
  strict?: boolean;
}

/** Common uses of config-validator. */
export const configValidatorExamples: Example<Input>[] = [
  {
    title: "A value that is none of the possible ones, and a misspelt field",
    input: {
      data: '{\n  "name": "shop",\n  "version": "1.0.0",\n  "type": "modul",\n  "dependecies": { "left": "^1.0.0" }\n}\n',
      name: "package.json",
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "\\"modul\\" is none of the possible values. Did you mean \\"module\\"?",\n      "severity": "error",\n      "rule": "enum",\n      "line": 4,\n      "column": 11,\n      "offset": 52,\n      "pointer": "/type"\n    },\n    {\n      "message": "\\"dependecies\\" is not known here. Did you mean \\"dependencies\\"?",\n      "severity": "warning",\n      "rule": "unknown-key",\n      "line": 5,\n      "column": 18,\n      "offset": 78,\n      "pointer": "/dependecies"\n    }\n  ]\n}',
  },
  {
    title: "A file in a folder",
    input: {
      data: "version: 2\nupdates:\n  - package-ecosystem: npm\n    directory: /\n    schedule:\n      interval: weekly\n",
      name: ".github/dependabot.yml",
    },
    result: '{\n  "valid": true,\n  "errors": []\n}',
  },
  {
    title: "Unknown fields as errors",
    input: {
      data: '[package]\nname = "shop"\nedition = "2021"\nlicence = "MIT"\n',
      name: "Cargo.toml",
      strict: true,
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "\\"licence\\" is not known here. Did you mean \\"license\\"?",\n      "severity": "error",\n      "rule": "unknown-key",\n      "line": 4,\n      "column": 11,\n      "offset": 51,\n      "pointer": "/package/licence"\n    }\n  ]\n}',
  },
];
