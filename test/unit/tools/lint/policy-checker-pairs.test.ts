import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import tool from "../../../../src/tools/lint/policy-checker.ts";
import { runTool } from "../run-tool.ts";

const text = readFileSync(new URL("../../../../docs/from.md", import.meta.url), "utf8");

/** The pairs of the document by their titles. */
const pairs = new Map(
  [...text.matchAll(/^### \d+\. (.+)\n\n```rego\n([^]*?)```\n\n```yaml\n([^]*?)```/gm)].map(
    ([, title = "", rego = "", policy = ""]) => [title, { rego, policy }],
  ),
);

const deployment = (spec: string, labels = "{app.kubernetes.io/name: a, team: b}"): string =>
  `kind: Deployment\nmetadata:\n  labels: ${labels}\nspec:\n  template:\n    spec: ${spec}\n`;
const ofImage = (image: string): string => deployment(`{containers: [{name: c, image: "${image}"}]}`);
const ofLimits = (limits: string): string => deployment(`{containers: [{name: c, ${limits}}]}`);
const plan = (type: string, after: string): string =>
  `{"resource_changes":[{"address":"${type}.a","type":"${type}","change":{"after":${after}}}]}`;
const ingress = (port: number, blocks: string): string =>
  plan("aws_security_group", `{"ingress":[{"from_port":${port},"cidr_blocks":["${blocks}"]}]}`);

/** For each pair documents that pass, and documents that fail with the message. */
const documents: Record<string, { passes: string[]; fails: [data: string, message: string][] }> = {
  "An image has a fixed tag": {
    passes: [ofImage("x:1.2"), "kind: Service\n"],
    fails: [[ofImage("x:latest"), "container c has the tag latest"]],
  },
  "Images come from one registry": {
    passes: [ofImage("registry.example.com/x")],
    fails: [[ofImage("docker.io/x"), "docker.io/x is from another registry"]],
  },
  "A Deployment has labels": {
    passes: [deployment("{}"), "kind: Service\nmetadata: {}\n"],
    fails: [
      [deployment("{}", "{team: b}"), "labels are missing: app.kubernetes.io/name"],
      ["kind: Deployment\nmetadata: {}\n", "labels are missing: app.kubernetes.io/name, team"],
    ],
  },
  "Containers do not run as root": {
    passes: [deployment("{securityContext: {runAsNonRoot: true}}")],
    fails: [
      [deployment("{}"), "containers must not run as root"],
      [deployment("{securityContext: {runAsNonRoot: false}}"), "containers must not run as root"],
    ],
  },
  "No container is privileged": {
    passes: [deployment("{containers: [{name: c, securityContext: {privileged: false}}, {name: d}]}")],
    fails: [
      [
        deployment("{containers: [{name: c, securityContext: {privileged: true}}]}"),
        "a container is privileged",
      ],
    ],
  },
  "Each container has limits": {
    passes: [ofLimits("resources: {limits: {cpu: 1, memory: 1Gi}}")],
    fails: [
      [ofLimits("resources: {limits: {cpu: 1}}"), "container c has no limit of cpu or memory"],
      [ofLimits("image: x"), "container c has no limit of cpu or memory"],
    ],
  },
  "A service of Compose publishes no low port": {
    passes: ['services: {web: {ports: ["8080:80", 9000]}, db: {image: x}}\n'],
    fails: [['services: {web: {ports: ["80:80"]}}\n', "service web publishes 80:80"]],
  },
  "A plan of Terraform makes no public bucket": {
    passes: [
      plan("aws_s3_bucket", '{"acl":"private"}'),
      plan("aws_s3_bucket", "null"),
      plan("other", '{"acl":"public-read"}'),
    ],
    fails: [[plan("aws_s3_bucket", '{"acl":"public-read"}'), "aws_s3_bucket.a is public"]],
  },
  "A plan of Terraform opens no port to everybody": {
    passes: [ingress(443, "0.0.0.0/0"), ingress(22, "10.0.0.0/8"), plan("other", "null")],
    fails: [[ingress(22, "0.0.0.0/0"), "aws_security_group.a opens port 22 to everybody"]],
  },
  "A package depends on no branch": {
    passes: ['{"dependencies":{"a":"^1.0.0"},"scripts":{"x":"git+"}}'],
    fails: [
      ['{"devDependencies":{"a":"git+https://example.com/a.git"}}', "a is no release"],
      ['{"dependencies":{"b":"github:a/b"}}', "b is no release"],
    ],
  },
};

test("there are ten pairs, and each has documents", () => {
  expect([...pairs.keys()]).toEqual(Object.keys(documents));
  expect(pairs.size).toBe(10);
  for (const { rego } of pairs.values()) expect(rego).toMatch(/^(?:deny|warn)\[msg\] \{/m);
});

test.each([...pairs])("%s", async (title, { policy }) => {
  const check = async (data: string): Promise<string[]> =>
    (JSON.parse(await runTool(tool, { data, policy, dataFormat: "yaml" })) as Report).errors.map(
      ({ message, rule }) => (rule === "cel-error" ? `${rule}: ${message}` : message),
    );
  for (const data of documents[title]?.passes ?? []) expect(await check(data)).toEqual([]);
  for (const [data, message] of documents[title]?.fails ?? []) expect(await check(data)).toEqual([message]);
});
