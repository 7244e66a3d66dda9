import { isUtf8 } from "node:buffer";
import { createExclusion, createFileFilter } from "./path-filter.ts";

/** The files and folders of a repository. */
export interface HeldFiles {
  /** Relative to the folder of the proposal, sorted. */
  paths: readonly string[];
  /** Files that Git ignores. */
  ignored: readonly string[];
  /** Returns the bytes of a file, or the first ones up to the end of a character if it is large; undefined if it cannot be read. */
  read(path: string): Uint8Array | undefined;
}

export interface Proposal {
  /** The text of `penknife.checks.yaml`. */
  text: string;
  /** The checks in it, each with the number of its files. */
  checks: { tool: string; files: number }[];
}

interface Entry {
  tool: string;
  /** The comment above the entry. */
  why: string;
  files: readonly string[];
  exclude?: readonly string[];
  with?: string;
  includeIgnored?: true;
}

/** Proposed for every repository. */
const scanner = "secret-scanner";

/** Proposes the checks that fit the files of a repository. */
export function proposeChecks(held: HeldFiles): Proposal {
  const entries = [...byName(held), ...byContent(held), scanSecrets(held)];
  const checks = entries.map((entry) => ({ tool: entry.tool, files: filesOf(entry, held).length }));
  const isUsed = (index: number) => entries[index]?.tool === scanner || (checks[index]?.files ?? 0) > 0;
  return {
    text: `${head}\nchecks:\n${entries
      .filter((_, index) => isUsed(index))
      .map(toText)
      .join("\n")}${tail}`,
    checks: checks.filter((_, index) => isUsed(index)),
  };
}

const withComments = [
  "**/tsconfig*.json",
  "**/jsconfig*.json",
  "**/.vscode/*.json",
  "**/.devcontainer/**/*.json",
];

/** Kinds of files that their names tell. Only patterns that match a file are proposed. */
const kinds: readonly Entry[] = [
  {
    tool: "json-validator",
    why: "JSON by RFC 8259: no comments, no trailing commas, no repeated names.",
    files: ["**/*.json"],
    exclude: withComments,
  },
  {
    tool: "json-validator",
    why: "Files that their programs read as JSON with comments.",
    files: ["**/*.jsonc", "**/*.code-workspace", ...withComments],
    with: "{ dialect: jsonc }",
  },
  { tool: "json-validator", why: "JSON5.", files: ["**/*.json5"], with: "{ dialect: json5 }" },
  { tool: "ndjson-validator", why: "A JSON document on each line.", files: ["**/*.ndjson", "**/*.jsonl"] },
  {
    tool: "yaml-validator",
    why: "YAML 1.2, without repeated keys. Add with: { lint: [truthy, indent] } to be stricter.",
    files: ["**/*.yaml", "**/*.yml"],
  },
  {
    tool: "github-actions-linter",
    why: "Workflows of GitHub Actions, and actions. Add with: { pin: sha, permissions: warn } to be stricter.",
    files: [
      ".github/workflows/*.yml",
      ".github/workflows/*.yaml",
      "action.yml",
      "action.yaml",
      ".github/actions/**/action.yml",
      ".github/actions/**/action.yaml",
    ],
  },
  { tool: "toml-validator", why: "TOML 1.0.", files: ["**/*.toml"] },
  {
    tool: "xml-validator",
    why: "Well-formed XML.",
    files: ["**/*.xml", "**/*.xsd", "**/*.xsl", "**/*.xslt", "**/*.wsdl", "**/*.svg"],
  },
  { tool: "csv-validator", why: "Tables: every line has as many cells as the first.", files: ["**/*.csv"] },
  {
    tool: "dockerfile-linter",
    why: "Dockerfiles. Add with: { ignore: [package-pin] } if packages need no version.",
    files: ["**/Dockerfile", "**/Containerfile", "**/Dockerfile.*", "**/*.dockerfile"],
  },
  {
    tool: "env-validator",
    why: "Settings of the environment, also those that Git ignores.",
    files: ["**/.env", "**/.env.*", "**/*.env"],
    includeIgnored: true,
  },
];

function byName(held: HeldFiles): Entry[] {
  const templates = templatesOf(held);
  return kinds.map((kind) => {
    const exclude = [...(kind.exclude ?? []), ...(kind.tool === "yaml-validator" ? templates : [])];
    return { ...kind, files: present(kind.files, held), exclude: present(exclude, held, createExclusion) };
  });
}

/** Folders of templates of Helm, which become YAML when Helm fills them in. */
function templatesOf({ paths }: HeldFiles): string[] {
  const charts = paths.flatMap((path) => /^(?:(.*)\/)?Chart\.yaml$/.exec(path)?.slice(1) ?? []);
  return charts.map((folder) => `${folder === undefined ? "" : `${folder}/`}templates`);
}

/** The patterns that match a file. */
function present(patterns: readonly string[], held: HeldFiles, create = createFileFilter): string[] {
  return patterns.filter((pattern) => {
    const matches = create([pattern]);
    return held.paths.some(matches) || held.ignored.some(matches);
  });
}

/** Most files that are proposed by their names. */
const maxNamed = 50;

/** Kinds of files that only their content tells; they are proposed by their names. */
function byContent(held: HeldFiles): Entry[] {
  const openapi = findFiles(
    held,
    /\.(?:json|ya?ml)$/,
    /^[ \t{]*["']?(?:openapi|swagger)["']?[ \t]*:[ \t]*["']?[23]\.\d/m,
  );
  const isTemplate = createExclusion(templatesOf(held));
  const manifests = findFiles(
    { ...held, paths: held.paths.filter((path) => !isTemplate(path)) },
    /(?<!(?:^|\/)Chart)\.ya?ml$/,
    /^apiVersion:[ \t]+["']?(?:v1|(?:apps|batch|policy|autoscaling|[\w.-]+\.k8s\.io)\/v\d\w*)["']?[ \t]*(?:#.*)?$/m,
  );
  const certificates = findFiles(held, /\.(?:pem|crt|cer)$/, /^-----BEGIN (?:TRUSTED )?CERTIFICATE-----/m);
  return [
    {
      tool: "kubernetes-validator",
      why: 'Manifests of Kubernetes. Add with: { version: "1.34" } if your cluster is older than the newest release.',
      files: manifests,
    },
    { tool: "openapi-validator", why: "Descriptions of APIs by OpenAPI.", files: openapi },
    {
      tool: "certificate-expiry-checker",
      why: "Certificates that expire within 30 days.",
      files: certificates,
      with: "{ days: 30 }",
    },
  ];
}

function findFiles({ paths, read }: HeldFiles, name: RegExp, content: RegExp): string[] {
  const found: string[] = [];
  for (const path of paths) {
    if (found.length === maxNamed) break;
    if (!name.test(path) || !path.isWellFormed()) continue;
    const bytes = read(path);
    if (bytes !== undefined && content.test(Buffer.from(bytes).toString("utf8"))) found.push(toPattern(path));
  }
  return found;
}

/** Secrets are looked for in all text, also where Git does not look. Images and the like are no text. */
function scanSecrets(held: HeldFiles): Entry {
  const binary = new Set<string>();
  for (const path of [...held.paths, ...held.ignored]) {
    const ending = /\.[A-Za-z\d]{1,12}$/.exec(path)?.[0];
    const pattern = ending === undefined ? toPattern(path) : `**/*${ending}`;
    if (binary.has(pattern) || !path.isWellFormed()) continue;
    const bytes = held.read(path);
    if (bytes !== undefined && (bytes.includes(0) || !isUtf8(bytes))) binary.add(pattern);
  }
  return {
    tool: scanner,
    why: "Keys, tokens and passwords, also in files that Git ignores.",
    files: ["**/*"],
    exclude: [...binary].toSorted(),
    includeIgnored: true,
  };
}

/** A path as a pattern: its wildcards are escaped. */
const toPattern = (path: string): string => path.replaceAll(/[\\*?[\]{}()!+@|]/g, String.raw`\$&`);

function filesOf({ files, exclude = [], includeIgnored }: Entry, { paths, ignored }: HeldFiles): string[] {
  const [selects, excludes] = [createFileFilter(files), createExclusion(exclude)];
  return (includeIgnored === true ? [...paths, ...ignored] : paths).filter(
    (path) => selects(path) && !excludes(path),
  );
}

function toText(entry: Entry): string {
  const lines = [`  # ${entry.why}`, `  - tool: ${entry.tool}`, `    files:${toList(entry.files)}`];
  if (entry.exclude !== undefined && entry.exclude.length > 0)
    lines.push(`    exclude:${toList(entry.exclude)}`);
  if (entry.with !== undefined) lines.push(`    with: ${entry.with}`);
  if (entry.includeIgnored === true) lines.push("    includeIgnored: true");
  return `${lines.join("\n")}\n`;
}

function toList(patterns: readonly string[]): string {
  const texts = patterns.map((pattern) => JSON.stringify(pattern));
  return texts.length === 1 ? ` ${texts[0]}` : texts.map((text) => `\n      - ${text}`).join("");
}

const head = `# The checks of this repository: penknife check runs them, penknife check --list shows which file has which.
# The options of each tool: penknife tools TOOL. The schema of this file: penknife check --schema.

# Files and folders that nothing checks, such as those that are made by programs:
# exclude: ["**/package-lock.json", third_party]
`;

const tail = `
  # Formatting: penknife check --fix rewrites the files. Remove the # of what you want.
  # - tool: json-formatter
  #   files: "**/*.json"
  #   with: { indent: 2 }
  # - tool: yaml-formatter
  #   files: ["**/*.yaml", "**/*.yml"]
  # White space that is no content: the two spaces that break a line of Markdown stay, and so do no-break spaces.
  # - tool: whitespace-normalizer
  #   files: ["**/*.md", "**/*.sh"]
  #   with: { plainSpaces: false }

  # A second document is a file, relative to this one.
  # - tool: json-schema-validator
  #   files: "config/*.json"
  #   with: { schemaFile: schemas/config.json }
  #   required: true
`;
