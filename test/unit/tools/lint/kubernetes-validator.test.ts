import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import { enumeratedFields } from "../../../../src/lib/kubernetes/enumerations.ts";
import { typesOf } from "../../../../src/lib/kubernetes/types.ts";
import tool from "../../../../src/tools/lint/kubernetes-validator.ts";
import { runTool } from "../run-tool.ts";
import { bases, mistakes } from "./kubernetes-validator-mistakes.ts";

interface Options {
  version?: string;
  strict?: boolean;
  crds?: string;
  missing?: string;
  deprecated?: string;
  ignore?: string[];
}

const validate = async (data: unknown, options: Options = {}): Promise<Report> =>
  JSON.parse(
    await runTool(tool, { data: typeof data === "string" ? data : JSON.stringify(data), ...options }),
  ) as Report;

/** Rules with their lines. */
const found = async (data: unknown, options?: Options): Promise<string[]> =>
  (await validate(data, options)).errors.map(({ rule, line }) => `${rule} ${line}`);

/** Returns a copy of a manifest with the value at a path replaced, or removed if it is undefined. */
function alter(base: object, path: string, value: unknown): unknown {
  const copy = structuredClone(base) as Record<string, unknown>;
  const keys = path.split(".");
  const last = keys.pop() as string;
  let at = copy;
  for (const key of keys) at = (at[key] ??= {}) as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

test.each(Object.entries(bases))("the %s that mistakes are planted in is sound", async (_, manifest) => {
  expect((await validate(manifest)).errors).toEqual([]);
});

test.each(mistakes)("%s", async (_, base, path, value, rule) => {
  const { errors } = await validate(alter(bases[base], path, value));
  if (rule === undefined) expect(errors).toEqual([]);
  else expect(errors.map((one) => one.rule)).toContain(rule);
});

test("at least a hundred mistakes are planted, in the values of at least forty fields among others", () => {
  expect(mistakes.filter(([, , , , rule]) => rule !== undefined).length).toBeGreaterThanOrEqual(100);
  expect(enumeratedFields).toBeGreaterThanOrEqual(40);
});

const pod = (fields: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n    - name: a\n      image: b\n${fields}`;

test("a finding has the place of what is wrong: the key of an unknown field, the value of a wrong one", async () => {
  const data = pod("      imagePulPolicy: Always\n      tty: 1\n");
  expect((await validate(data)).errors).toEqual([
    {
      message: '"imagePulPolicy" is not a field of Container. Did you mean imagePullPolicy?',
      severity: "error",
      rule: "unknown-field",
      line: 9,
      column: 7,
      offset: data.indexOf("imagePul"),
      pointer: "/spec/containers/0/imagePulPolicy",
    },
    {
      message: "tty must be true or false, not 1.",
      severity: "error",
      rule: "type",
      line: 10,
      column: 12,
      offset: data.indexOf("1\n", 120),
      pointer: "/spec/containers/0/tty",
    },
  ]);
});

test("a finding in a stream names its document and its object", async () => {
  const { errors } = await validate(
    `${pod("")}---\n# nothing\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\nspec: 1\n`,
  );
  expect(errors).toMatchObject(
    [
      {
        rule: "unknown-field",
        line: 15,
        pointer: "/spec",
        message: /^ConfigMap "b" \(document \d\): "spec" is not/,
      },
    ].map((one) => ({ ...one, message: expect.stringMatching(one.message) as string })),
  );
});

test("items of lists are validated, those of a list of one kind without saying it", async () => {
  const list = { apiVersion: "v1", kind: "List", items: [bases.config, { ...bases.pod, spec: {} }] };
  expect((await validate(list)).errors).toMatchObject([{ rule: "required", pointer: "/items/1/spec" }]);
  const configs = {
    apiVersion: "v1",
    kind: "ConfigMapList",
    items: [{ metadata: { name: "a" }, data: { a: 1 } }],
  };
  expect((await validate(configs)).errors).toMatchObject([{ rule: "type", pointer: "/items/0/data/a" }]);
});

test("unknown fields are warnings unless strict", async () => {
  const data = pod("      imagePulPolicy: Always\n");
  expect((await validate(data, { strict: false })).errors).toMatchObject([
    { rule: "unknown-field", severity: "warning" },
  ]);
});

test("fields and kinds belong to releases", async () => {
  const data = pod("      restartPolicyRules: []\n");
  expect(await found(data)).toEqual([]);
  const { errors } = await validate(data, { version: "1.33" });
  expect(errors[0]?.message).toContain("It is one in release 1.34; set version to 1.34");
  const claim = { apiVersion: "resource.k8s.io/v1", kind: "DeviceClass", metadata: { name: "a" }, spec: {} };
  expect(await found(claim, { version: "1.34" })).toEqual([]);
  expect((await validate(claim, { version: "1.33" })).errors).toMatchObject([{ rule: "unknown-kind" }]);
});

test("1.35 is validated by the types of 1.36, which the result notes", async () => {
  expect(await validate(bases.pod, { version: "1.35" })).toEqual({
    valid: true,
    errors: [],
    note: "The types are those of 1.36, because none of 1.35 are available.",
  });
  expect(await validate(bases.pod, { version: "1.34" })).toEqual({ valid: true, errors: [] });
});

test("deprecated versions are warnings, errors or nothing; removed ones are errors", async () => {
  const slice = { apiVersion: "v1", kind: "Endpoints", metadata: { name: "a" } };
  expect((await validate(slice)).errors).toMatchObject([{ rule: "deprecated-api", severity: "warning" }]);
  expect((await validate(slice, { deprecated: "error" })).valid).toBe(false);
  expect(await found(slice, { deprecated: "skip" })).toEqual([]);
  const old = { apiVersion: "batch/v1beta1", kind: "CronJob", metadata: { name: "a" } };
  expect((await validate(old, { deprecated: "skip" })).errors).toMatchObject([
    {
      rule: "removed-api",
      message: "batch/v1beta1 of CronJob was removed in Kubernetes 1.25. Use batch/v1.",
    },
  ]);
});

test("kinds without a schema are warnings, errors or nothing, and may be left out", async () => {
  const custom = { apiVersion: "example.com/v1", kind: "Backup", metadata: { name: "a" } };
  expect((await validate(custom)).errors).toMatchObject([{ rule: "missing-schema", severity: "warning" }]);
  expect((await validate(custom, { missing: "error" })).valid).toBe(false);
  expect(await found(custom, { missing: "skip" })).toEqual([]);
  expect(await found(custom, { missing: "error", ignore: ["example.com/Backup"] })).toEqual([]);
  expect(await found({ ...bases.pod, spec: 1 }, { ignore: ["Pod"] })).toEqual([]);
});

test.each([
  ["v1", "Config"],
  ["kustomize.config.k8s.io/v1beta1", "Kustomization"],
  ["kubeadm.k8s.io/v1beta4", "ClusterConfiguration"],
])("%s %s configures a program and is left to it", async (apiVersion, kind) => {
  expect((await validate({ apiVersion, kind })).errors).toMatchObject([
    { rule: "no-object", severity: "warning" },
  ]);
  expect(await found({ apiVersion, kind }, { missing: "skip" })).toEqual([]);
});

test.each([
  ["apps/v1", "Deploymnet", "Did you mean Deployment?"],
  ["v1", "Deployment", '"v1" has no Deployment; it is in apps/v1.'],
  ["app/v1", "Deployment", '"app/v1" has no Deployment; it is in apps/v1.'],
  ["v1", "Statefulset", "Did you mean StatefulSet of apps/v1?"],
])("%s %s is explained", async (apiVersion, kind, message) => {
  const [error] = (await validate({ apiVersion, kind, metadata: { name: "a" } })).errors;
  expect(error?.message).toContain(message);
});

test("an object that occurs twice is an error, in another namespace it is not", async () => {
  const config = (rest: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a${rest}}\n`;
  expect(await found(`${config("")}---\n${config("")}`)).toEqual(["duplicate-object 7"]);
  expect(await found(`${config(", namespace: b")}---\n${config("")}`)).toEqual([]);
});

test("repeated keys are errors at the later one", async () => {
  expect(await found(pod("      image: c\n"))).toEqual(["duplicate-key 9"]);
  expect(await found('{"apiVersion":"v1","kind":"Namespace",\n"kind":"Namespace"}')).toEqual([
    "duplicate-key 2",
  ]);
});

test.each([
  ["{{- if .Values.x }}\napiVersion: v1\n{{- end }}\n", 1],
  ["apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}\n", 4],
  ["apiVersion: v1\nkind: Pod\nmetadata:\n  name: web-{{ .Release.Name }}\n", 4],
  ["apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    {{- toYaml . | nindent 4 }}\n", 5],
  ["apiVersion: v1\n{% if x %}\nkind: Pod\n{% endif %}\n", 2],
  ["apiVersion: v1\nkind: Pod\nspec:\n  a: <%= x %>\n  <% end %>\n", 4],
])("a template is one finding: %j", async (data, line) => {
  expect(await found(data)).toEqual([`template ${line}`]);
});

test("braces within strings and blocks are no template", async () => {
  expect(
    await found(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: "{{ x }}"\n  b: |\n    {{ y }}\n  c: at {{ z }}\n',
    ),
  ).toEqual([]);
});

test("scalars are read as Kubernetes reads them", async () => {
  const config = (value: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: ${value}}\n`;
  for (const value of ["12:30:00", "2026-01-31", "08h", "'yes'"])
    expect(await found(config(value)), value).toEqual([]);
  for (const value of ["yes", "on", "n", "0x1f", "1_000", "1e3"])
    expect(await found(config(value)), value).toEqual(["type 4"]);
  const mode = "  volumes:\n    - name: b\n      configMap: {name: c, defaultMode: 0644}\n";
  expect(await found(pod(mode))).toEqual([]);
  expect(await found(pod(mode.replace("0644", "644")))).toEqual(["range 11"]);
});

test("null is a missing value, and the status is not checked for completeness", async () => {
  const deployment = { ...bases.deployment, status: {} } as Record<string, unknown>;
  expect(
    await found({ ...deployment, metadata: { name: "a", creationTimestamp: null, labels: null } }),
  ).toEqual([]);
  expect(await found({ ...deployment, spec: null })).toEqual([]);
  expect(
    await found({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "a" },
      status: {},
    }),
  ).toEqual([]);
  expect((await validate({ ...deployment, status: { replica: 1 } })).errors).toMatchObject([
    { rule: "unknown-field" },
  ]);
});

const definition = (schema: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: backups.example.com }
spec:
  group: example.com
  scope: Cluster
  names: { kind: Backup, plural: backups }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: ${schema} }
    - name: v1beta1
      served: true
      storage: false
      deprecated: true
      deprecationWarning: Use example.com/v1.
      schema: { openAPIV3Schema: ${schema} }
`;
const backup = (spec: string, version = "v1"): string =>
  `apiVersion: example.com/${version}\nkind: Backup\nmetadata: {name: a}\nspec: ${spec}\n`;
const schema =
  "{type: object, required: [spec], properties: {spec: {type: object, properties: {keep: {type: integer, minimum: 1}, port: {x-kubernetes-int-or-string: true}, note: {type: string, nullable: true}, free: {type: object, x-kubernetes-preserve-unknown-fields: true}, pod: {type: object, x-kubernetes-embedded-resource: true}, tags: {type: object, additionalProperties: {type: string}}, name: {type: string, pattern: '^[a-z]+$', maxLength: 4}, mode: {type: string, enum: [a, b]}}}}}";

test.each([
  ["{keep: 1, port: 80, note: null, free: {x: {y: 1}}, tags: {a: b}, name: ab, mode: a}", []],
  ["{port: http, pod: {apiVersion: v1, kind: Pod, metadata: {}}}", []],
  ["{keep: 0}", ["schema"]],
  ["{keep: x}", ["schema"]],
  ["{port: true}", ["schema"]],
  ["{kep: 1}", ["unknown-field"]],
  ["{tags: {a: 1}}", ["schema"]],
  ["{name: AB}", ["schema"]],
  ["{name: abcde}", ["schema"]],
  ["{mode: c}", ["schema"]],
  ["{keep: null}", ["schema"]],
])("a custom resource with %s", async (spec, rules) => {
  const data = backup(spec);
  expect((await validate(data, { crds: definition(schema) })).errors.map(({ rule }) => rule)).toEqual(rules);
  const together = await validate(`${definition(schema)}---\n${data}`);
  expect(together.errors.map(({ rule }) => rule)).toEqual(rules);
});

test("a definition says which versions are deprecated, and that its objects belong to the cluster", async () => {
  const options = { crds: definition(schema) };
  expect((await validate(backup("{}", "v1beta1"), options)).errors).toMatchObject([
    { rule: "deprecated-api", severity: "warning", message: "Use example.com/v1." },
  ]);
  expect(await found(backup("{}").replace("{name: a}", "{name: A, namespace: b}"), options)).toEqual([
    "name 3",
    "namespace 3",
  ]);
});

test.each([
  ["a: b", /^crds: Object 1 is no CustomResourceDefinition/],
  ["a: [", /^crds: /],
])("crds refuses %j", async (crds, message) => {
  await expect(validate(bases.pod, { crds })).rejects.toMatchObject({
    code: "invalid_document",
    message: expect.stringMatching(message) as string,
  });
});

test.each([["[1]"], ["1"], ["- a\n- b\n"], ["text"], ["a: 1\n"]])("%j is no manifest", async (data) => {
  expect((await validate(data)).errors).toMatchObject([{ rule: "manifest" }]);
});

test("an empty stream is valid", async () => {
  for (const data of ["", "---\n", "# nothing\n"]) expect(await found(data)).toEqual([]);
});

test("warnings take no room of errors", async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, at]));
  const report = await validate({ ...bases.config, ...many, data: 1 }, { strict: false });
  expect(report.valid).toBe(false);
  expect(report.errors).toHaveLength(100);
});

test("at most a hundred errors are reported", async () => {
  const data = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, at]));
  expect((await validate({ ...bases.config, data })).errors).toHaveLength(100);
});

/** Required fields, from the reference of the API. */
const required: Record<string, string> = {
  "apps/v1 Deployment spec": "selector template",
  "apps/v1 StatefulSet spec": "selector template",
  "apps/v1 DaemonSet spec": "selector template",
  "apps/v1 ReplicaSet spec": "selector",
  "batch/v1 Job spec": "template",
  "batch/v1 CronJob spec": "jobTemplate schedule",
  "v1 Pod spec": "containers",
  "v1 Service spec.ports": "port",
  "v1 Pod spec.containers": "name",
  "v1 Pod spec.volumes": "name",
  "v1 Pod spec.containers.env": "name",
  "v1 Pod spec.containers.volumeMounts": "mountPath name",
  "v1 Pod spec.containers.ports": "containerPort",
  "networking.k8s.io/v1 Ingress spec.rules.http": "paths",
  "networking.k8s.io/v1 Ingress spec.rules.http.paths": "backend pathType",
  "autoscaling/v2 HorizontalPodAutoscaler spec": "maxReplicas scaleTargetRef",
  "rbac.authorization.k8s.io/v1 RoleBinding": "roleRef",
  "rbac.authorization.k8s.io/v1 RoleBinding roleRef": "apiGroup kind name",
  "rbac.authorization.k8s.io/v1 Role rules": "verbs",
  "storage.k8s.io/v1 StorageClass": "provisioner",
  "scheduling.k8s.io/v1 PriorityClass": "value",
  "apiextensions.k8s.io/v1 CustomResourceDefinition": "spec",
  "apiextensions.k8s.io/v1 CustomResourceDefinition spec": "group names scope versions",
};

test.each(Object.entries(required))("%s requires %s", async (place, fields) => {
  const [version = "", kind = "", path] = place.split(" ");
  for (const release of [33, 34, 36] as const) {
    const types = await typesOf(release);
    let type = types.kind(`${version} ${kind}`)?.type ?? "";
    for (const key of path?.split(".") ?? []) {
      let shape = types.fieldsOf(type).get(key)?.shape;
      while (shape !== undefined && !("type" in shape)) shape = "list" in shape ? shape.list : shape.map;
      type = shape?.type ?? "";
    }
    const names = [...types.fieldsOf(type)].filter(([, field]) => field.required).map(([name]) => name);
    // 1.36 fills in the empty group of a role and the value 0.
    const expected = release === 36 ? fields.replace("apiGroup kind", "kind").replace(/^value$/, "") : fields;
    expect(names.toSorted().join(" ")).toBe(expected);
  }
});

test("every type that a field names exists, in each release", async () => {
  for (const release of [33, 34, 36] as const) {
    const types = await typesOf(release);
    const waiting = [...types.kinds()].map((kind) => types.kind(kind)?.type ?? "");
    const seen = new Set<string>();
    for (let type = waiting.pop(); type !== undefined; type = waiting.pop()) {
      if (seen.has(type)) continue;
      seen.add(type);
      for (const [, field] of types.fieldsOf(type)) {
        let { shape } = field;
        while (!("type" in shape)) shape = "list" in shape ? shape.list : shape.map;
        if (/^[A-Z]/.test(shape.type)) waiting.push(shape.type);
        else
          expect(shape.type).toMatch(
            /^(?:string|boolean|int32|int64|number|quantity|int-or-string|time|byte|any)$/,
          );
      }
    }
    expect(seen.size).toBeGreaterThan(400);
  }
});

test("the files of types are what config/kubernetes-types.ts wrote", () => {
  const folder = new URL("../../../../src/lib/kubernetes/data/", import.meta.url);
  for (const file of readdirSync(folder)) {
    const source = readFileSync(new URL(file, folder), "utf8");
    const [, digest] = /SHA-256 of the text: (\w+)/.exec(source) ?? [];
    const [, text = ""] = /= `([^`]*)`/.exec(source) ?? [];
    expect(createHash("sha256").update(text).digest("hex"), file).toBe(digest);
    expect(source).toContain("@kubernetes/client-node 1.3.0 (1.33), 1.4.0 (1.34), 2.0.1 (1.36), Apache-2.0");
  }
});

test("the manifests of this project are valid", async () => {
  const file = new URL("../../../../config/kubernetes.yaml", import.meta.url);
  expect((await validate(readFileSync(file, "utf8"))).errors).toEqual([]);
});
