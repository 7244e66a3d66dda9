import type { JsonDialect } from "./json/source.ts";

// Programs read files of these names as JSON with comments, whatever their extension says. `*` is any part of one name.
const commented = [
  "tsconfig*.json",
  "jsconfig*.json",
  "appsettings*.json",
  "turbo.json",
  "devcontainer.json",
  "devcontainer-lock.json",
  ".devcontainer.json",
  ".eslintrc.json",
  ".jshintrc",
  ".swcrc",
  "api-extractor*.json",
  "language-configuration.json",
  "*.jsonc",
  "*.code-workspace",
  "*.code-snippets",
];

/** Folders whose JSON files may have comments. */
const commentedFolders = [".vscode", ".devcontainer"];

/** Babel reads its files as JSON5. */
const json5 = ["*.json5", ".babelrc", ".babelrc.json", "babel.config.json"];

/** Returns the dialect in which the program of a file reads it, by the name of the file and its folders. */
export function dialectOfFile(path: string): JsonDialect {
  const names = path.split("/");
  const name = names.pop() ?? "";
  if (isJson5.test(name)) return "json5";
  if (isCommented.test(name)) return "jsonc";
  return name.endsWith(".json") && names.some((folder) => commentedFolders.includes(folder))
    ? "jsonc"
    : "json";
}

/** For `fileOptions` of a tool with the option `dialect`. */
export function dialectOption(path: string): { dialect?: JsonDialect } {
  const dialect = dialectOfFile(path);
  return dialect === "json" ? {} : { dialect };
}

const isCommented = toTest(commented);
const isJson5 = toTest(json5);

function toTest(names: readonly string[]): RegExp {
  const texts = names.map((name) => name.replaceAll(".", String.raw`\.`).replaceAll("*", ".*"));
  return new RegExp(`^(?:${texts.join("|")})$`);
}
