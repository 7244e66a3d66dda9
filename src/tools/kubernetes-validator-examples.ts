import type { Example } from "../catalog/tool.ts";

export const kubernetesValidatorExamples: Example<{ data: string; version?: "1.35"; crds?: string }>[] = [
  {
    input: {
      data: "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n    spec:\n      containers:\n        - name: web\n          image: example.com/web:1.2\n          ports: [{ containerPort: 8080 }]\n",
    },
    result: '{\n  "valid": true,\n  "errors": []\n}',
  },
  {
    title: "A misspelt field, a quantity above its limit and a name that is not one",
    input: {
      data: "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: Web }\nspec:\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n    spec:\n      containers:\n        - name: web\n          image: example.com/web:1.2\n          imagePulPolicy: Always\n          resources: { requests: { cpu: 2 }, limits: { cpu: 500m } }\n",
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The name \\"Web\\" must consist of lower-case letters, digits, - and ., and begin and end with a letter or digit (DNS-1123 subdomain).",\n      "severity": "error",\n      "rule": "name",\n      "line": 3,\n      "column": 19,\n      "offset": 55,\n      "pointer": "/metadata/name"\n    },\n    {\n      "message": "\\"imagePulPolicy\\" is not a field of Container. Did you mean imagePullPolicy?",\n      "severity": "error",\n      "rule": "unknown-field",\n      "line": 12,\n      "column": 11,\n      "offset": 255,\n      "pointer": "/spec/template/spec/containers/0/imagePulPolicy"\n    },\n    {\n      "message": "The request of 2 cpu is above the limit of 500m; it must be at most that.",\n      "severity": "error",\n      "rule": "request-above-limit",\n      "line": 13,\n      "column": 41,\n      "offset": 318,\n      "pointer": "/spec/template/spec/containers/0/resources/requests/cpu"\n    }\n  ]\n}',
  },
  {
    title: "A version of the API that the release no longer has",
    input: {
      data: "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: { name: web }\nspec: { minAvailable: 1 }\n",
      version: "1.35",
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "policy/v1beta1 of PodDisruptionBudget was removed in Kubernetes 1.25. Use policy/v1.",\n      "severity": "error",\n      "rule": "removed-api",\n      "line": 1,\n      "column": 13,\n      "offset": 12,\n      "pointer": "/apiVersion"\n    }\n  ],\n  "note": "The types are those of 1.36, because none of 1.35 are available."\n}',
  },
  {
    title: "A custom resource, by its definition",
    input: {
      data: "apiVersion: example.com/v1\nkind: Backup\nmetadata: { name: nightly }\nspec: { keep: 0 }\n",
      crds: "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: backups.example.com }\nspec:\n  group: example.com\n  scope: Namespaced\n  names: { kind: Backup, plural: backups }\n  versions:\n    - name: v1\n      served: true\n      storage: true\n      schema:\n        openAPIV3Schema:\n          type: object\n          properties:\n            spec: { type: object, properties: { keep: { type: integer, minimum: 1 } } }\n",
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "Must be at least 1.",\n      "severity": "error",\n      "rule": "schema",\n      "line": 4,\n      "column": 15,\n      "offset": 82,\n      "pointer": "/spec/keep"\n    }\n  ]\n}',
  },
];
