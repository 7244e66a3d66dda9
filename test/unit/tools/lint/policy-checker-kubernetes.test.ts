import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import tool from "../../../../src/tools/lint/policy-checker.ts";
import { runTool } from "../run-tool.ts";

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", labels: { env: "prod", app: "web" } },
  spec: {
    replicas: 5,
    minReplicas: 0,
    maxReplicas: 10,
    selector: { matchLabels: { app: "web" } },
    template: {
      spec: {
        containers: [
          { name: "web", image: "example.com/web:1", ports: [{ containerPort: 80, protocol: "TCP" }] },
        ],
        volumes: [{ name: "data", emptyDir: {} }],
      },
    },
  },
  status: {
    availableReplicas: 3,
    health: "ok",
    widgets: { a: { foo: 1, bar: 2 } },
    dates: ["2024-01-01T00:00:00Z"],
  },
  set1: ["a", "b"],
  set2: ["b", "c"],
};

// After the examples of https://kubernetes.io/docs/reference/using-api/cel/ and of its page on ValidatingAdmissionPolicy, with
// `document` in the place of `object` and `self`.
test.each<[expression: string, holds: boolean]>([
  ["document.spec.replicas <= 5", true],
  ["document.spec.replicas <= 4", false],
  [
    "document.spec.minReplicas <= document.spec.replicas && document.spec.replicas <= document.spec.maxReplicas",
    true,
  ],
  ["'app' in document.metadata.labels", true],
  ["'tier' in document.metadata.labels", false],
  ["(document.set1.size() == 0) != (document.set2.size() == 0)", false],
  ["document.set1.exists(e, e in document.set2)", true],
  ["document.set1.all(e, !(e in document.set2))", false],
  ["size(document.set1.filter(e, !(e in document.set2))) == 1", true],
  ["!('Available' in document.status) || document.status.availableReplicas == 0", true],
  [
    "document.status.availableReplicas > 0 ? document.status.health == 'ok' : document.status.health == 'none'",
    true,
  ],
  [
    "has(document.status.widgets) && document.status.widgets.all(key, document.status.widgets[key].foo < 10)",
    true,
  ],
  ["document.status.widgets['a'].foo + document.status.widgets['a'].bar == 3", true],
  ["has(document.spec.strategy) && document.spec.strategy.type == 'Recreate'", false],
  [
    "type(document.spec.replicas) == string ? document.spec.replicas == '99%' : document.spec.replicas == 5",
    true,
  ],
  ["document.metadata.name.startsWith('we') && document.metadata.name.matches('^[a-z]+$')", true],
  ["document.metadata.labels.env == 'prod' && document.metadata.labels['env'] != 'test'", true],
  ["document.spec.template.spec.containers.all(c, c.image.startsWith('example.com/'))", true],
  [
    "document.spec.template.spec.containers.all(c, !has(c.securityContext) || !c.securityContext.privileged)",
    true,
  ],
  ["document.spec.template.spec.containers.exists_one(c, c.name == 'web')", true],
  ["document.spec.template.spec.containers.map(c, c.name) == ['web']", true],
  ["document.spec.template.spec.volumes.all(v, !has(v.hostPath))", true],
  ["timestamp(document.status.dates[0]) - duration('24h') < timestamp('2024-01-01T00:00:00Z')", true],
  ["document.status.dates.all(d, timestamp(d).getFullYear() == 2024)", true],
])("%s is %s", async (expression, holds) => {
  const policy = JSON.stringify({ rules: [{ id: "r", expression }] });
  const { errors } = JSON.parse(await runTool(tool, { data: JSON.stringify(deployment), policy })) as Report;
  expect(errors.map(({ rule }) => rule)).toEqual(holds ? [] : ["r"]);
});

test("variables, a condition of matching and a message work as in an admission policy", async () => {
  const policy = `
variables:
  - name: environment
    expression: "'env' in document.metadata.labels ? document.metadata.labels['env'] : 'test'"
  - name: most
    expression: "variables.environment == 'prod' ? 4 : 10"
rules:
  - id: replicas
    match: document.kind == 'Deployment'
    expression: document.spec.replicas <= variables.most
    messageExpression: "'replicas must be at most ' + string(variables.most) + ' in ' + variables.environment"
`;
  const { errors } = JSON.parse(await runTool(tool, { data: JSON.stringify(deployment), policy })) as Report;
  expect(errors).toMatchObject([{ rule: "replicas", message: "replicas must be at most 4 in prod" }]);
});
