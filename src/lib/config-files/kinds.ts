import type { JsonDialect } from "../json/source.ts";
import { babel } from "./files/babel.ts";
import { cargoToml } from "./files/cargo-toml.ts";
import { chart } from "./files/chart.ts";
import { codecov } from "./files/codecov.ts";
import { composerJson } from "./files/composer-json.ts";
import { dependabot } from "./files/dependabot.ts";
import { devcontainer } from "./files/devcontainer.ts";
import { eslintrc } from "./files/eslintrc.ts";
import { kustomization } from "./files/kustomization.ts";
import { markdownlint } from "./files/markdownlint.ts";
import { mkdocs } from "./files/mkdocs.ts";
import { lerna, nx, turbo } from "./files/monorepos.ts";
import { netlify } from "./files/netlify.ts";
import { packageJson } from "./files/package-json.ts";
import { preCommit } from "./files/pre-commit.ts";
import { prettierrc } from "./files/prettierrc.ts";
import { pyproject } from "./files/pyproject.ts";
import { readthedocs } from "./files/readthedocs.ts";
import { renovate } from "./files/renovate.ts";
import { tsconfig } from "./files/tsconfig.ts";
import { vercel } from "./files/vercel.ts";
import type { Shape } from "./shape.ts";

type Format = JsonDialect | "yaml" | "toml";

/** A configuration file of a program. */
export interface ConfigKind {
  /** The usual name of the file. */
  readonly name: string;
  readonly shape: Shape;
  /** Matches the name of a file without its folders. */
  readonly pattern: RegExp;
  /** The format of files that end in .json, or in nothing that tells it. */
  readonly json: JsonDialect;
}

const kind = (name: string, shape: Shape, pattern: RegExp, json: JsonDialect = "json"): ConfigKind => ({
  name,
  shape,
  pattern,
  json,
});

/** The kinds of files that are known, and the patterns of their names. .gitlab-ci.yml is none: its language is too large for a table. */
export const configKinds: readonly ConfigKind[] = [
  kind("package.json", packageJson, /^package\.json$/),
  kind("tsconfig.json", tsconfig, /^(?:ts|js)config(?:[.-][\w.-]{1,100})?\.json$/, "jsonc"),
  kind(".eslintrc.json", eslintrc, /^\.eslintrc(?:\.json|\.ya?ml)?$/, "jsonc"),
  kind(".prettierrc", prettierrc, /^\.prettierrc(?:\.json5?|\.ya?ml|\.toml)?$/, "jsonc"),
  kind("babel.config.json", babel, /^(?:babel\.config\.json|\.babelrc(?:\.json)?)$/, "json5"),
  kind(".markdownlint.json", markdownlint, /^\.markdownlint(?:\.jsonc?|\.ya?ml)$/, "jsonc"),
  kind("lerna.json", lerna, /^lerna\.json$/, "jsonc"),
  kind("nx.json", nx, /^nx\.json$/, "jsonc"),
  kind("turbo.json", turbo, /^turbo\.jsonc?$/, "jsonc"),
  kind("composer.json", composerJson, /^composer\.json$/),
  kind("renovate.json", renovate, /^(?:renovate|\.renovaterc)(?:\.json[5c]?)?$/, "jsonc"),
  kind("dependabot.yml", dependabot, /^dependabot\.ya?ml$/),
  kind(".pre-commit-config.yaml", preCommit, /^\.pre-commit-config\.ya?ml$/),
  kind(".readthedocs.yaml", readthedocs, /^\.?readthedocs\.ya?ml$/),
  kind("mkdocs.yml", mkdocs, /^mkdocs\.ya?ml$/),
  kind("Cargo.toml", cargoToml, /^Cargo\.toml$/),
  kind("pyproject.toml", pyproject, /^pyproject\.toml$/),
  kind("Chart.yaml", chart, /^Chart\.yaml$/),
  kind("kustomization.yaml", kustomization, /^(?:kustomization\.ya?ml|Kustomization)$/),
  kind("codecov.yml", codecov, /^\.?codecov\.ya?ml$/),
  kind("netlify.toml", netlify, /^netlify\.toml$/),
  kind("vercel.json", vercel, /^vercel\.json$/),
  kind("devcontainer.json", devcontainer, /^\.?devcontainer\.json$/, "jsonc"),
];

/** Returns the kind of a file by its name, with or without folders. */
export function kindOfFile(path: string): ConfigKind | undefined {
  const name = baseName(path);
  return configKinds.find(({ pattern }) => pattern.test(name));
}

/** Returns the format of a file. The text decides where the name has no ending that tells it. */
export function formatOfFile({ json }: ConfigKind, path: string, text: string): Format {
  const ending = /\.(json5?|jsonc|ya?ml|toml)$/.exec(baseName(path))?.[1];
  if (ending === "toml") return "toml";
  if (ending === "yaml" || ending === "yml") return "yaml";
  if (ending === "json5" || ending === "jsonc") return ending;
  // `.prettierrc` and `.eslintrc` may be JSON or YAML; of JSON both allow comments.
  if (ending === undefined && !/^\s*(?:\/[/*]|\{)/.test(text)) return "yaml";
  return json;
}

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
