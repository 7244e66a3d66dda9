import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Package } from "./packages.ts";

// Writes dist/penknife.cdx.json: what the build found in its bundles, as CycloneDX 1.6 (ECMA-424). A tool that reads
// node_modules would list what is installed; only the build knows what is left after tree shaking.
const root = new URL("../../", import.meta.url).pathname;
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));

interface Component {
  "bom-ref": string;
  type: string;
  name: string;
  version: string;
  [field: string]: unknown;
}

const { packages, target } = read("dist/bundle.json") as { packages: Package[]; target: string };
const own = read("package.json") as { name: string; version: string; description: string; license: string };
const lock = read("package-lock.json") as { packages: Record<string, { integrity?: string }> };

const product: Component = {
  "bom-ref": `pkg:generic/${own.name}@${own.version}`,
  type: "application",
  name: own.name,
  version: own.version,
  description: own.description,
  licenses: [{ license: { id: own.license } }],
  purl: `pkg:generic/${own.name}@${own.version}`,
  properties: [{ name: "penknife:target", value: target }],
};
const components = packages.map((each) => (each.name === "node" ? toNode(each) : toComponent(each)));
const refs = new Map(packages.map(({ path }, index) => [path, components[index]?.["bom-ref"]]));

const document = {
  $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  serialNumber: `urn:uuid:${uuidOf(JSON.stringify([product, components]))}`,
  version: 1,
  metadata: {
    timestamp: builtAt(),
    lifecycles: [{ phase: "build" }],
    tools: { components: [{ type: "application", name: "config/build/sbom.ts", version: own.version }] },
    component: product,
  },
  components,
  dependencies: [
    { ref: product["bom-ref"], dependsOn: components.map((component) => component["bom-ref"]).toSorted() },
    ...packages.map(({ path, dependencies }) => ({
      ref: refs.get(path),
      dependsOn: dependencies.flatMap((dependency) => findFrom(path, dependency) ?? []).toSorted(),
    })),
  ],
};
writeFileSync(join(root, "dist/penknife.cdx.json"), `${JSON.stringify(document, null, 2)}\n`);
process.stdout.write(`dist/penknife.cdx.json: ${components.length} components\n`);

/** Returns what `require(name)` finds from a path: in its own folder, or else in those above; undefined where it is not inside. */
function findFrom(path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const found = refs.get(`${folder === "" ? "" : `${folder}/`}node_modules/${name}`);
    if (found !== undefined || folder === "") return found;
  }
}

function toComponent({ name, version, path, license, homepage }: Package): Component {
  const purl = `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
  const hash = Buffer.from(lock.packages[path]?.integrity?.replace(/^sha512-/, "") ?? "", "base64");
  return {
    "bom-ref": purl,
    type: "library",
    name,
    version,
    scope: "required",
    // The hash of the package as it was published; the executable holds the part of it that is used.
    ...(hash.length === 64 && { hashes: [{ alg: "SHA-512", content: hash.toString("hex") }] }),
    licenses: /^[\w.-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }],
    purl,
    ...(homepage !== undefined && { externalReferences: [{ type: "website", url: homepage }] }),
  };
}

/** Node and what is linked into it, so that a vulnerability of OpenSSL is found here too. */
function toNode({ version, homepage }: Package): Component {
  const inside = Object.entries(process.versions)
    .filter(
      ([name, value]) =>
        value !== undefined && !["node", "modules", "napi", "unicode", "tz", "cldr"].includes(name),
    )
    .map(([name, value]) => ({ type: "library", "bom-ref": `node:${name}`, name, version: value }));
  return {
    "bom-ref": `pkg:generic/node@${version}`,
    type: "platform",
    name: "node",
    version,
    licenses: [{ license: { id: "MIT" } }],
    purl: `pkg:generic/node@${version}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    externalReferences: [{ type: "website", url: homepage }],
    components: inside,
  };
}

/** Derived from the contents, so that equal builds have equal numbers. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/** Time of the commit, so that two builds of it are equal. */
function builtAt(): string {
  try {
    const seconds = execFileSync("git", ["log", "-1", "--format=%ct"], {
      cwd: root,
      encoding: "utf8",
      stdio: "pipe",
    });
    return new Date(Number(process.env["SOURCE_DATE_EPOCH"] ?? seconds) * 1000).toISOString();
  } catch {
    return new Date().toISOString();
  }
}
