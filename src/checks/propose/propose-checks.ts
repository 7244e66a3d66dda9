import { isUtf8 } from "node:buffer";
import { kindOfFile } from "../../lib/config-files/kinds.ts";
import { findMisfit } from "../misfit.ts";
import { createExclusion, createFileFilter } from "../path-filter.ts";
import type { Level } from "../severity.ts";
import { contentKinds, graphqlFiles, graphqlOperation, graphqlSchema, type Kind, kinds } from "./kinds.ts";
import { readHabits, type Habits } from "./read-habits.ts";
import { shorten, toPattern } from "./shorten.ts";

/** The files and folders of a repository. */
export interface HeldFiles {
  /** The files that Git does not ignore, relative to the folder of the proposal, sorted. */
  paths: readonly string[];
  /** Returns the bytes of a file, or the first ones up to the end of a character if it is large; undefined if it cannot be read. */
  read(path: string): Uint8Array | undefined;
}

/** A check that fits files of the repository. */
export interface ProposedCheck {
  tool: string;
  why: string;
  files: readonly string[];
  exclude: readonly string[];
  with: Readonly<Record<string, unknown>>;
  rules: Readonly<Record<string, Level>>;
  /** The files that it checks. */
  selected: readonly string[];
  formatter?: string;
}

export interface Proposal {
  checks: readonly ProposedCheck[];
  habits: Habits;
}

/**
 * Proposes the checks that fit the files of a repository.
 * @param hasTool Reports whether the catalogue has a tool.
 */
export async function proposeChecks(given: HeldFiles, hasTool: (slug: string) => boolean): Promise<Proposal> {
  const held = remembering(given);
  const habits = await readHabits(held);
  const named = findNamed(held, habits);
  const isTemplate = new Set(named.flatMap(({ misfits }) => misfits));
  const documents = { ...held, paths: held.paths.filter((path) => !isTemplate.has(path)) };
  const checks = [
    ...named.map(({ check }) => check),
    ...contentKinds.map((kind) => findByContent(kind, documents)),
    ...findGraphql(documents),
    findConfigs(held, isTemplate),
    ...findTexts(held),
  ];
  return {
    checks: checks.filter(({ tool, selected }) => hasTool(tool) && (selected.length > 0 || tool === scanner)),
    habits,
  };
}

/** Several kinds look at the same files. */
function remembering({ paths, read }: HeldFiles): HeldFiles {
  const known = new Map<string, string | undefined>();
  return {
    paths,
    read(path) {
      const text = known.get(path);
      if (text !== undefined) return Buffer.from(text);
      const bytes = read(path);
      if (bytes !== undefined && bytes.length <= maxKept && isUtf8(bytes))
        known.set(path, Buffer.from(bytes).toString());
      return bytes;
    },
  };
}

/** Bytes of the largest document that is kept. */
const maxKept = 65_536;

/** Proposed for every repository. */
const scanner = "secret-scanner";

interface NamedKind {
  check: ProposedCheck;
  /** Files that are templates, or have a document on each line. */
  misfits: readonly string[];
}

/** Kinds of files that their names tell, without those that are something else. */
function findNamed(held: HeldFiles, habits: Habits): NamedKind[] {
  const lines: string[] = [];
  const found = kinds.map((kind): NamedKind => {
    // A file that cannot be read, such as a link, is none of the kind.
    const matching = held.paths
      .filter(createFileFilter(kind.files))
      .filter((path) => held.read(path) !== undefined);
    const ignored = createExclusion(kind.tool === "yaml-validator" ? habits.yaml.ignore : []);
    const all = matching.filter((path) => !ignored(path));
    const accepts = kind.tool === "json-validator" ? "JSON" : "";
    const misfits: string[] = [];
    const others: string[] = [];
    for (const path of all) {
      const text = readText(held, path);
      if (text === undefined) continue;
      const misfit = findMisfit({ accepts }, text);
      if (misfit?.rule === "json-lines") lines.push(path);
      if (misfit !== undefined) misfits.push(path);
      else if (kind.content?.test(text) === false) others.push(path);
    }
    const excluded = new Set([...misfits, ...others]);
    return { check: toCheck(kind, all, excluded, habits), misfits };
  });
  return lines.length === 0 ? found : found.map((one) => withLines(one, lines));
}

function toCheck(
  kind: Kind,
  all: readonly string[],
  excluded: ReadonlySet<string>,
  { yaml }: Habits,
): ProposedCheck {
  const isYaml = kind.tool === "yaml-validator";
  const exclude = shorten([...excluded], all, (folder) => [folder]);
  return {
    tool: kind.tool,
    why: isYaml && Object.keys(yaml.options).length > 0 ? "YAML, by the settings of yamllint." : kind.why,
    files: kind.files.filter((pattern) => all.some(createFileFilter([pattern]))),
    exclude: isYaml ? [...yaml.ignore, ...exclude] : exclude,
    with: { ...kind.with, ...(isYaml && yaml.options) },
    rules: isYaml ? yaml.rules : {},
    selected: all.filter((path) => !excluded.has(path)),
    ...(kind.formatter !== undefined && { formatter: kind.formatter }),
  };
}

/** Files of JSON Lines that are called `.json` are checked as what they are. */
function withLines(found: NamedKind, lines: readonly string[]): NamedKind {
  const { check } = found;
  if (check.tool !== "ndjson-validator") return found;
  const files = [...check.files, ...lines.map(toPattern)];
  return { ...found, check: { ...check, files, selected: [...check.selected, ...lines].toSorted() } };
}

/** Kinds of files that only their content tells. */
function findByContent(kind: Kind & { content: RegExp }, held: HeldFiles): ProposedCheck {
  const all = held.paths.filter(createFileFilter(kind.files));
  const selected = all.filter((path) => kind.content.test(readText(held, path) ?? ""));
  const base = { tool: kind.tool, why: kind.why, exclude: [], with: kind.with ?? {}, rules: {}, selected };
  return { ...base, files: shorten(selected, all, (folder, files) => toBelow(folder, files, kind.files)) };
}

/** `k8s/**\/*.yaml` for each of the patterns of a kind that a file in the folder matches. */
const toBelow = (folder: string, files: readonly string[], patterns: readonly string[]): string[] =>
  patterns
    .filter((pattern) => files.some(createFileFilter([pattern])))
    .map((pattern) => `${folder}/${pattern}`);

/** Configuration files of programs, by their names. */
function findConfigs({ paths }: HeldFiles, isTemplate: ReadonlySet<string>): ProposedCheck {
  const all = paths.filter((path) => path.isWellFormed() && kindOfFile(path) !== undefined);
  const names = new Set(all.map((path) => `**/${toPattern(path.slice(path.lastIndexOf("/") + 1))}`));
  return {
    tool: "config-validator",
    why: "Configuration files of programs: their fields, and the types of values.",
    files: [...names].toSorted(),
    exclude: shorten(
      all.filter((path) => isTemplate.has(path)),
      all,
      (folder) => [folder],
    ),
    with: {},
    rules: {},
    selected: all.filter((path) => !isTemplate.has(path)),
  };
}

/** A schema is checked by itself, and operations by it. Of several schemas nobody knows which belong together. */
function findGraphql(held: HeldFiles): ProposedCheck[] {
  const all = held.paths.filter(createFileFilter(graphqlFiles));
  const texts = new Map(all.map((path) => [path, readText(held, path) ?? ""]));
  const schemas = all.filter((path) => graphqlSchema.test(texts.get(path) ?? ""));
  const operations = all.filter(
    (path) => !schemas.includes(path) && graphqlOperation.test(texts.get(path) ?? ""),
  );
  const [schema, ...more] = schemas;
  if (schema === undefined || more.length > 0) return [];
  const base = { tool: "graphql-validator", exclude: [], rules: {} };
  const formatter = "graphql-formatter";
  return [
    {
      ...base,
      why: "The GraphQL schema.",
      files: [toPattern(schema)],
      with: {},
      selected: [schema],
      formatter,
    },
    {
      ...base,
      why: "GraphQL operations, by the schema.",
      files: shorten(operations, all, (folder, files) => toBelow(folder, files, graphqlFiles)),
      with: { schemaFile: schema },
      selected: operations,
      formatter,
    },
  ];
}

/** Tools that check all text. Images and the like are no text. */
function findTexts(held: HeldFiles): ProposedCheck[] {
  const binary = new Set<string>();
  for (const path of held.paths) {
    const ending = /\.[A-Za-z\d]{1,12}$/.exec(path)?.[0];
    const pattern = ending === undefined ? toPattern(path) : `**/*${ending}`;
    if (binary.has(pattern) || !path.isWellFormed()) continue;
    const bytes = held.read(path);
    if (bytes !== undefined && (bytes.includes(0) || !isUtf8(bytes))) binary.add(pattern);
  }
  const exclude = [...binary].toSorted();
  const isBinary = createExclusion(exclude);
  const selected = held.paths.filter((path) => !isBinary(path));
  const base = { files: ["**/*"], exclude, with: {}, rules: {}, selected };
  const secrets = {
    ...base,
    tool: scanner,
    why: "Keys, tokens and passwords. Add includeIgnored: true to look in files that Git ignores, too.",
  };
  const isStyled = held.paths.some(
    (path) => /(?:^|\/)\.editorconfig$/.test(path) && held.read(path) !== undefined,
  );
  if (!isStyled) return [secrets];
  const why = "Indentation, line ends and white space, by .editorconfig.";
  return [{ ...base, tool: "editorconfig-checker", why }, secrets];
}

/** The text of a file whose name a list can hold. */
function readText({ read }: HeldFiles, path: string): string | undefined {
  if (!path.isWellFormed()) return undefined;
  const bytes = read(path);
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}
