import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { type Manifest, readManifests, readText } from "./files.ts";
import { folderOf } from "./installed.ts";

const compiler = fileURLToPath(new URL("../../../../node_modules/.bin/tsc", import.meta.url));
const manifests = readManifests();
const app = { "app.kubernetes.io/name": "penknife" };

interface Pod {
  securityContext: Record<string, unknown>;
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  terminationGracePeriodSeconds: number;
  containers: {
    image: string;
    ports: { name: string; containerPort: number }[];
    env: { name: string; value: string }[];
    volumeMounts: { name: string; mountPath: string }[];
    startupProbe: Probe;
    readinessProbe: Probe;
    livenessProbe: Probe;
    securityContext: Record<string, unknown>;
    resources: { limits: Record<string, string> };
    lifecycle: { preStop: { sleep: { seconds: number } } };
  }[];
  volumes: { name: string }[];
}

interface Probe {
  httpGet: { path: string; port: string };
}

/** The module in which the types of Kubernetes define a kind. */
const modules: Record<string, string> = {
  "apps/v1": "apps/v1",
  v1: "core/v1",
  "policy/v1": "policy/v1",
  "networking.k8s.io/v1": "networking/v1",
};

const specOf = (kind: string): Record<string, unknown> =>
  manifests.find((one) => one.kind === kind)?.spec ?? {};
const deployment = specOf("Deployment") as {
  replicas: number;
  selector: object;
  template: { metadata: { labels: object }; spec: Pod };
};
const pod = deployment.template.spec;
const [container] = pod.containers as [Pod["containers"][number]];

/**
 * The compiler's errors for the manifests, written as values of the types generated from the API's description: unknown and missing
 * fields, wrong types, values outside an enumeration.
 */
async function validate(given: readonly Manifest[]): Promise<string[]> {
  const types = folderOf("kubernetes-types");
  const folder = mkdtempSync(join(tmpdir(), "penknife-kubernetes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const statements = given.map(({ apiVersion, kind }, at) => {
    const value = JSON.stringify(given[at], undefined, 1);
    return `export const _${at}: import("${types}/${modules[apiVersion]}.js").${kind} = ${value};\n`;
  });
  writeFileSync(join(folder, "manifests.ts"), statements.join(""));
  const options = "--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --target es2025".split(
    " ",
  );
  const line = [...options, "--types", "", "manifests.ts"];
  const { stdout } = await promisify(execFile)(compiler, line, { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout.split("\n").filter((text) => text.includes("error TS"));
}

it("matches the types of the Kubernetes API", async () => {
  expect(manifests.map(({ kind }) => kind)).toEqual([
    "Deployment",
    "Service",
    "PodDisruptionBudget",
    "NetworkPolicy",
  ]);
  expect(await validate(manifests)).toEqual([]);
});

it.each<[string, string, (pod: Record<string, unknown>) => void]>([
  [
    "a misspelt field",
    "'\"enableServiceLink\"' does not exist in type 'PodSpec'",
    (spec) => Object.assign(spec, { enableServiceLink: false }),
  ],
  [
    "a wrong type",
    "not assignable to type 'number'",
    (spec) => (spec["terminationGracePeriodSeconds"] = "30"),
  ],
  ["a missing field", "'containers' is missing", (spec) => delete spec["containers"]],
])("the types of the Kubernetes API reject %s", async (_, message, spoil) => {
  const spoilt = structuredClone(manifests);
  const [first] = spoilt as [Manifest];
  spoil((first.spec["template"] as { spec: Record<string, unknown> }).spec);
  const errors = await validate(spoilt);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain(message);
});

it("has three nodes, which every other object selects by the same label", () => {
  expect(deployment.replicas).toBe(3);
  expect(deployment.template.metadata.labels).toEqual(app);
  expect(deployment.selector).toEqual({ matchLabels: app });
  expect(specOf("Service")["selector"]).toEqual(app);
  expect(specOf("PodDisruptionBudget")["selector"]).toEqual({ matchLabels: app });
  expect(specOf("NetworkPolicy")["podSelector"]).toEqual({ matchLabels: app });
  for (const { metadata } of manifests) expect(metadata.name).toBe("penknife");
});

it("runs the released image", () => {
  const { version } = JSON.parse(readText("package.json")) as { version: string };
  expect(container.image).toBe(`penknife:${version}`);
});

it("is admitted under the restricted Pod Security Standard", () => {
  expect(pod.securityContext).toMatchObject({
    runAsNonRoot: true,
    runAsUser: 65532,
    seccompProfile: { type: "RuntimeDefault" },
  });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  expect(pod.automountServiceAccountToken).toBe(false);
  // The user that the image sets itself.
  expect(readText("Dockerfile")).toContain("USER 65532:65532");
});

it("probes each node at its port, and keeps it in service while Redis is down", () => {
  const { startupProbe, readinessProbe, livenessProbe } = container;
  expect([startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet)).toEqual([
    { path: "/readyz", port: "http" },
    { path: "/healthz", port: "http" },
    { path: "/healthz", port: "http" },
  ]);
  expect(container.ports).toEqual([{ name: "http", containerPort: 8787 }]);
  expect(specOf("Service")["ports"]).toEqual([{ name: "http", port: 80, targetPort: "http" }]);
  expect(readText("Dockerfile")).toContain("EXPOSE 8787");
});

it("gives a node enough time to stop", () => {
  const graceSeconds = 10;
  const { seconds } = container.lifecycle.preStop.sleep;
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(seconds + graceSeconds);
});

it("mounts only volumes that exist, and reads the address of Redis from one", () => {
  const mounts = new Map(container.volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
  expect([...mounts.keys()]).toEqual(pod.volumes.map(({ name }) => name));
  expect(pod.volumes[0]).toEqual({
    name: "redis",
    secret: { secretName: "penknife-redis", defaultMode: 0o440 },
  });
  const file = container.env.find(({ name }) => name === "PENKNIFE_STORAGE_URL_FILE")?.value;
  expect(file).toBe(`${mounts.get("redis")}/url`);
  expect(readText("config/kubernetes.yaml")).toContain(
    "create secret generic penknife-redis --from-file=url=",
  );
});

it("has memory for its workers", () => {
  const workers = Number(container.env.find(({ name }) => name === "PENKNIFE_TOOLS_WORKERS")?.value);
  expect(container.resources.limits).toEqual({ memory: "1Gi" });
  expect(1024 - workers * 256).toBeGreaterThanOrEqual(512);
  // Service links would set variables that penknife does not know.
  expect(pod.enableServiceLinks).toBe(false);
});
