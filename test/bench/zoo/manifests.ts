import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";

// Validates manifests with the schemas of kubernetes-models, which ajv has compiled: `node manifests.ts FILE…`.

interface Manifest {
  apiVersion: string;
  kind: string;
}

interface Model {
  validate(data: unknown): boolean;
}

const folder = new URL("node_modules/kubernetes-models/_schemas/", import.meta.url);
const groups: Readonly<Record<string, string>> = { v1: "CoreV1", "apps/v1": "AppsV1" };
let invalid = 0;
for (const path of process.argv.slice(2)) {
  const manifest = parse(readFileSync(path, "utf8")) as Manifest;
  const file = `IoK8sApi${groups[manifest.apiVersion]}${manifest.kind}.js`;
  const { validate } = (await import(new URL(file, folder).href)) as Model;
  if (!validate(manifest)) invalid += 1;
}
if (process.argv.length < 3) throw new Error(`${pathToFileURL(process.argv[1] ?? "").href} needs files`);
process.exitCode = invalid > 0 ? 1 : 0;
