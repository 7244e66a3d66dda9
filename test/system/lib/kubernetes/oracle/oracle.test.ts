import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Report } from "../../../../../src/catalog/report.ts";
import tool from "../../../../../src/tools/lint/kubernetes-validator.ts";
import { amount, drawSeed } from "../../../../support/cases.ts";
import { bases, mistakes } from "../../../../unit/tools/lint/kubernetes-validator-mistakes.ts";
import { runTool } from "../../../../unit/tools/run-tool.ts";

// kubernetes-models has the schemas of the API as validators of ajv. They allow fields that no type has, and know nothing of what the
// API server checks beyond types; both have to agree about types, required fields and enumerations, and nothing else is compared.

interface Model {
  validate: ((data: unknown) => boolean) & { errors?: { instancePath: string; keyword: string }[] | null };
}

const folder = new URL("node_modules/kubernetes-models/_schemas/", import.meta.url);

const modelsOf: Record<string, string> = {
  v1: "Core",
  "apps/v1": "Apps",
  "batch/v1": "Batch",
  "autoscaling/v2": "Autoscaling",
  "policy/v1": "Policy",
  "networking.k8s.io/v1": "Networking",
  "rbac.authorization.k8s.io/v1": "Rbac",
  "scheduling.k8s.io/v1": "Scheduling",
  "storage.k8s.io/v1": "Storage",
};

interface Manifest {
  apiVersion: string;
  kind: string;
}

async function modelOf({ apiVersion, kind }: Manifest): Promise<Model> {
  const group = modelsOf[apiVersion] ?? "";
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1).replace("v", "V");
  return (await import(new URL(`IoK8sApi${group}${version}${kind}.js`, folder).href)) as Model;
}

/** The comparison is limited to the checks that both make: types, required fields and values of a kind. */
const shared = new Set(["type", "required", "enum"]);

async function compare(manifest: Manifest): Promise<{ ours: string[]; theirs: string[] }> {
  const report = JSON.parse(await runTool(tool, { data: JSON.stringify(manifest) })) as Report;
  const { validate } = await modelOf(manifest);
  validate(manifest);
  return {
    ours: report.errors
      .filter(({ rule }) => shared.has(rule))
      .map(({ rule, pointer }) => `${rule} ${pointer}`),
    theirs: (validate.errors ?? []).map(({ keyword, instancePath }) => `${keyword} ${instancePath}`),
  };
}

const known = (Object.values(bases) as Manifest[]).filter(({ apiVersion }) => apiVersion in modelsOf);

test.each(known.map((manifest) => [manifest.kind, manifest] as const))(
  "a sound %s is valid for both",
  async (_, manifest) => {
    expect(await compare(manifest)).toEqual({ ours: [], theirs: [] });
  },
);

test("the schemas are there", () => {
  expect(existsSync(folder)).toBe(true);
  expect(readFileSync(new URL("IoK8sApiCoreV1Pod.js", folder), "utf8")).toContain("validate");
  expect(mistakes.length).toBeGreaterThan(100);
});

/** Values of the types of JSON but null, which is a missing value for the API server, and allowed or refused field by field by a schema. */
const others = [true, 7, 1.5, "text", [], {}, ["text"], { a: "b" }];

/** Returns every place of a manifest, as its keys. */
function placesOf(value: unknown, path: readonly string[] = []): string[][] {
  const own = path.length === 0 ? [] : [[...path]];
  if (typeof value !== "object" || value === null) return own;
  return [...own, ...Object.entries(value).flatMap(([key, member]) => placesOf(member, [...path, key]))];
}

function mutate(manifest: Manifest, path: readonly string[], value: unknown): Manifest {
  const copy = structuredClone(manifest);
  let at = copy as unknown as Record<string, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
  const last = path.at(-1) as string;
  if (value === undefined && Array.isArray(at)) at.splice(Number(last), 1);
  else if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

/** The API server requires an image, a name, ports and modes, and restricts values, which the schemas leave to it. */
const isBeyondTypes = (ours: readonly string[], theirs: readonly string[]): boolean =>
  theirs.length === 0 && ours.every((one) => /^(?:required|enum) /.test(one));

test("mutations of sound manifests are refused by both, or by none", async () => {
  let state = drawSeed() >>> 0;
  const draw = (count: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const different: object[] = [];
  let refused = 0;
  for (let round = 0; round < amount(500); round++) {
    const manifest = known[draw(known.length)] as Manifest;
    // Without apiVersion and kind nobody knows which schema it is.
    const places = placesOf(manifest).filter(([key]) => key !== "apiVersion" && key !== "kind");
    const path = places[draw(places.length)] as string[];
    const value = draw(4) === 0 ? undefined : others[draw(others.length)];
    const { ours, theirs } = await compare(mutate(manifest, path, value));
    if (theirs.length > 0) refused++;
    if (ours.length > 0 === theirs.length > 0 || isBeyondTypes(ours, theirs)) continue;
    different.push({
      kind: manifest.kind,
      path: path.join("."),
      value: value === undefined ? "removed" : value,
      ours,
      theirs,
    });
  }
  expect(different).toEqual([]);
  expect(refused).toBeGreaterThan(100);
});
