import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Writes the types of the Kubernetes API, without descriptions, into src/lib/kubernetes/data: `make kubernetes-types`. They are
// derived from the official client (Apache-2.0), of which npm downloads the releases below; none of its code runs.
// src/lib/kubernetes/types.ts describes the notation.
const client = "@kubernetes/client-node";

/** Versions of the client, by the minor release of Kubernetes that their API is of. */
const releases = new Map([
  [33, "1.3.0"],
  [34, "1.4.0"],
  [36, "2.0.1"],
]);

const root = new URL("../", import.meta.url).pathname;

/** Fields whose values are quantities, which the client declares as strings. */
const quantities: readonly [type: RegExp, field: RegExp][] = [
  [/ResourceRequirements$/, /^(?:limits|requests)$/],
  [/ResourceQuota(?:Spec|Status)$/, /^(?:hard|used)$/],
  [/LimitRangeItem$/, /^(?:default|defaultRequest|max|maxLimitRequestRatio|min)$/],
  [
    /(?:PersistentVolumeSpec|PersistentVolumeClaimStatus|NodeStatus)$/,
    /^(?:capacity|allocatable|allocatedResources)$/,
  ],
  [/(?:ContainerStatus|PodStatus)$/, /^allocatedResources$/],
  [/PodSpec$/, /^overhead$/],
  [/Overhead$/, /^podFixed$/],
  [/EmptyDirVolumeSource$/, /^sizeLimit$/],
  [/ResourceFieldSelector$/, /^divisor$/],
  [/V2Metric(?:Target|ValueStatus)$/, /^(?:averageValue|value)$/],
  [/CSIStorageCapacity$/, /^(?:capacity|maximumVolumeSize)$/],
];

interface Field {
  /** The notation of its type. */
  type: string;
  required: boolean;
}

interface Kind {
  name: string;
  namespaced: boolean;
}

interface Release {
  types: Map<string, Map<string, Field>>;
  /** By `group/version Kind`. */
  kinds: Map<string, Kind>;
}

function readRelease(folder: string): Release {
  const models = join(folder, "dist/gen/models");
  const types = new Map<string, Map<string, Field>>();
  for (const file of readdirSync(models)) {
    if (!/^[A-Z]\w*V\d\w*\.js$|^V\d\w*\.js$/.test(file)) continue;
    const name = file.slice(0, -".js".length);
    types.set(
      name,
      readType(
        name,
        readFileSync(join(models, file), "utf8"),
        readFileSync(join(models, `${name}.d.ts`), "utf8"),
      ),
    );
  }
  return { types, kinds: readKinds(join(folder, "dist/gen"), types) };
}

function readType(name: string, code: string, declaration: string): Map<string, Field> {
  const fields = new Map<string, Field>();
  const [, list = "[]"] = /attributeTypeMap = (\[[^]*?\n\]);/.exec(code) ?? [];
  for (const one of JSON.parse(list) as Record<"name" | "baseName" | "type" | "format", string>[]) {
    const optional = declaration.includes(`'${one.name}'?:`);
    if (!optional && !declaration.includes(`'${one.name}':`))
      throw new Error(`${name}.${one.name} is not declared`);
    const isQuantity = quantities.some(([type, field]) => type.test(name) && field.test(one.baseName));
    const type = toNotation(one.type, one.format);
    fields.set(one.baseName, {
      type: isQuantity ? type.replace("string", "quantity") : type,
      required: !optional,
    });
  }
  return fields;
}

const scalars: Record<string, string> = {
  string: "string",
  boolean: "boolean",
  Date: "time",
  V1MicroTime: "time",
  IntOrString: "int-or-string",
  any: "any",
};

function toNotation(type: string, format: string): string {
  const [, item] = /^Array<(.*)>$/.exec(type) ?? [];
  if (item !== undefined) return `[${toNotation(item, format)}]`;
  const [, member] = /^\{ \[key: string\]: (.*); \}$/.exec(type) ?? [];
  if (member !== undefined) return `{${toNotation(member, format)}}`;
  if (type === "number") return format === "double" ? "number" : format === "int64" ? "int64" : "int32";
  if (type === "string" && format === "byte") return "byte";
  if (scalars[type] !== undefined) return scalars[type];
  if (/^[A-Z]\w*$/.test(type)) return type;
  throw new Error(`${type} is a type that this program does not know`);
}

/** Reads the kinds from the paths that objects are created at. */
function readKinds(folder: string, types: Release["types"]): Map<string, Kind> {
  const kinds = new Map<string, Kind>();
  // The package has files of APIs that older releases had; the client imports none of them.
  const imports = readFileSync(join(folder, "types/ObservableAPI.js"), "utf8");
  for (const [, file = ""] of imports.matchAll(/ from "\.\.\/(apis\/\w+\.js)"/g)) {
    const code = readFileSync(join(folder, file), "utf8");
    for (const [, path = "", body = ""] of code.matchAll(
      /const localVarPath = '([^']+)'([^]*?)return requestContext;/g,
    )) {
      const [, type] = /serialize\(body, "(\w+)"/.exec(body) ?? [];
      const [, group, version, namespaced] =
        /^\/(?:api|apis\/([\w.-]+))\/(v\w+)(\/namespaces\/\{namespace\})?\/\w+$/.exec(path) ?? [];
      const fields = types.get(type ?? "");
      if (type === undefined || version === undefined || !fields?.has("kind")) continue;
      if (!fields.has("metadata") || !/HttpMethod\.POST/.test(body)) continue;
      const kind = type.replace(/^.*?V\d+(?:(?:alpha|beta)\d+)?(?=[A-Z])/, "");
      const name = `${group === undefined ? "" : `${group}/`}${version} ${kind}`;
      kinds.set(name, {
        name: type,
        namespaced: namespaced !== undefined || kinds.get(name)?.namespaced === true,
      });
    }
  }
  return kinds;
}

/** Writes the releases that have something, such as `@-34`; nothing if all have it. */
function toSpan(minors: readonly number[]): string {
  const all = [...releases.keys()];
  const [first = 0] = minors;
  const last = minors.at(-1) ?? 0;
  if (all.filter((one) => one >= first && one <= last).length !== minors.length)
    throw new Error(`something exists in ${minors.join(", ")} only`);
  if (first === all[0] && last === all.at(-1)) return "";
  return `@${first === all[0] ? "" : first}-${last === all.at(-1) ? "" : last}`;
}

/** Adds `variant` with the releases that have it. */
function* spans<T>(
  found: ReadonlyMap<number, Release>,
  variantsOf: (release: Release) => Iterable<[string, T]>,
): Iterable<[string, string]> {
  const byName = new Map<string, number[]>();
  for (const [minor, release] of found)
    for (const [variant] of variantsOf(release)) byName.set(variant, [...(byName.get(variant) ?? []), minor]);
  for (const [variant, minors] of byName) yield [variant, toSpan(minors)];
}

function write(found: ReadonlyMap<number, Release>): Map<string, string> {
  const kinds = [
    ...spans(found, ({ kinds: all }) =>
      [...all].map(([name, kind]) => [`${name} ${kind.name}${kind.namespaced ? "" : " cluster"}`, 0]),
    ),
  ]
    .map(([line, span]) => `${line}${span && ` ${span}`}`)
    .toSorted();
  const reached = new Set<string>();
  for (const { types, kinds: all } of found.values())
    for (const { name } of all.values()) reach(name, types, reached);
  const lines = [...reached].toSorted().map((name) => {
    const fields = [
      ...spans(found, ({ types }) =>
        [...(types.get(name) ?? [])].map(([field, { type, required }]) => [
          `${field}${required ? "!" : ""}:${type}`,
          0,
        ]),
      ),
    ];
    return [
      name,
      ...fields.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([field, span]) => field + span),
    ].join(" ");
  });
  const files = new Map([["kinds", kinds]]);
  const parts = Math.ceil(lines.length / maxLines);
  for (let part = 0; part < parts; part++)
    files.set(`types-${part + 1}`, lines.slice(part * maxLines, (part + 1) * maxLines));
  return new Map(Array.from(files, ([name, part]) => [name, toModule(part)]));
}

/** Lines of a file of types. */
const maxLines = 280;

function reach(name: string, types: Release["types"], found: Set<string>): void {
  if (found.has(name) || !types.has(name)) return;
  found.add(name);
  for (const { type } of types.get(name)?.values() ?? []) reach(type.replace(/[[\]{}]/g, ""), types, found);
}

function toModule(lines: readonly string[]): string {
  const text = lines.join("\n");
  const sources = Array.from(releases, ([minor, version]) => `${version} (1.${minor})`).join(", ");
  return [
    `// Written by config/kubernetes-types.ts from ${client} ${sources}, Apache-2.0. Do not edit.`,
    `// SHA-256 of the text: ${createHash("sha256").update(text).digest("hex")}`,
    `export const text = \`${text}\`;`,
    "",
  ].join("\n");
}

const folder = mkdtempSync(join(tmpdir(), "kubernetes-types-"));
try {
  const found = new Map<number, Release>();
  for (const [minor, version] of releases) {
    const options = { cwd: folder, encoding: "utf8" } as const;
    const archive = execFileSync("npm", ["pack", "--silent", `${client}@${version}`], options).trim();
    execFileSync("tar", ["xzf", archive], options);
    found.set(minor, readRelease(join(folder, "package")));
    rmSync(join(folder, "package"), { recursive: true });
  }
  for (const [name, text] of write(found))
    writeFileSync(join(root, "src/lib/kubernetes/data", `${name}.ts`), text);
} finally {
  rmSync(folder, { recursive: true });
}
