import type { Example } from "../catalog/tool.ts";

/** Returns the format of a file that does not end in .json. */
export function formatOfFile(name: string): { dataFormat?: string } {
  const [, ending = ""] = /\.([A-Za-z]+)$/.exec(name) ?? [];
  const format = formats[ending.toLowerCase()];
  return format === undefined ? {} : { dataFormat: format };
}

const formats: Readonly<Record<string, string>> = {
  yaml: "yaml",
  yml: "yaml",
  toml: "toml",
  ndjson: "ndjson",
  jsonl: "ndjson",
  jsonc: "jsonc",
};

type Input = { data: string; policy: string; dataFormat?: "json" | "jsonc" | "yaml" | "toml" | "ndjson" };

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      containers:
        - name: app
          image: registry.example/app:latest
`;

/** Common uses of policy-checker. */
export const policyExamples: Example<Input>[] = [
  {
    title: "Each container of a manifest",
    input: {
      data: deployment,
      policy: `rules:
  - id: image-tag
    match: document.kind == "Deployment"
    each: $.spec.template.spec.containers[*]
    expression: "!self.image.endsWith(':latest')"
    messageExpression: "'container ' + self.name + ' has the tag latest'"
`,
      dataFormat: "yaml",
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "container app has the tag latest",\n      "severity": "error",\n      "rule": "image-tag",\n      "line": 9,\n      "column": 11,\n      "offset": 115,\n      "pointer": "/spec/template/spec/containers/0"\n    }\n  ]\n}',
  },
  {
    title: "A document that is as it must be",
    input: {
      data: '{"name":"app","private":true}',
      policy: '{"rules":[{"id":"private","expression":"has(self.private) && self.private"}]}',
    },
    result: '{\n  "valid": true,\n  "errors": []\n}',
  },
  {
    title: "A warning for each line, and a variable",
    input: {
      data: '{"user":"ann","roles":["admin"]}\n{"user":"bob","roles":["dev","admin"]}\n',
      policy: `variables:
  - name: admins
    expression: '["ann"]'
rules:
  - id: admins
    severity: warning
    match: "'admin' in document.roles"
    expression: document.user in variables.admins
    message: Only ann is an admin.
`,
      dataFormat: "ndjson",
    },
    result:
      '{\n  "valid": true,\n  "errors": [\n    {\n      "message": "Only ann is an admin.",\n      "severity": "warning",\n      "rule": "admins",\n      "line": 2,\n      "column": 1,\n      "offset": 33,\n      "pointer": ""\n    }\n  ]\n}',
  },
  {
    title: "A rule that cannot be evaluated fails",
    input: { data: "{}", policy: '{"rules":[{"id":"port","expression":"document.port > 1024"}]}' },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "Rule port: expression of document.port > 1024 failed (policy, line 1, column 46): field not found: port.",\n      "severity": "error",\n      "rule": "cel-error",\n      "line": 1,\n      "column": 1,\n      "offset": 0,\n      "pointer": ""\n    }\n  ]\n}',
  },
];
