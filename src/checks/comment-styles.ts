/** The delimiters of the comments of a format. */
export interface CommentStyle {
  /** The characters that begin a comment. */
  markers: readonly string[];
  /** A comment must begin its line: after a value, the format takes the marker as a part of the value. */
  whole?: true;
}

const hash: CommentStyle = { markers: ["#"] };
const hashAtStart: CommentStyle = { markers: ["#"], whole: true };
const slashes: CommentStyle = { markers: ["//", "/*"] };
const markup: CommentStyle = { markers: ["<!--"] };
const ini: CommentStyle = { markers: ["#", ";"], whole: true };
const none: CommentStyle = { markers: [] };
const any: CommentStyle = { markers: ["#", "//", "/*", "--", "<!--", ";"] };

/** By the extension, in lower case. */
const byExtension = new Map<string, CommentStyle>([
  ...["yaml", "yml", "toml", "env", "sh", "graphql", "gql", "tf"].map((name) => [name, hash] as const),
  ...["json", "jsonc", "json5"].map((name) => [name, slashes] as const),
  ...["xml", "svg", "html", "xsd", "xsl", "xslt", "md"].map((name) => [name, markup] as const),
  ...["ini", "cfg", "conf", "editorconfig", "gitconfig"].map((name) => [name, ini] as const),
  ...["gitignore", "dockerignore", "gitattributes", "dockerfile"].map((name) => [name, hashAtStart] as const),
  ...["csv", "tsv", "ndjson", "jsonl", "pem", "crt", "jwt"].map((name) => [name, none] as const),
  ["properties", { markers: ["#", "!"], whole: true }],
  ["sql", { markers: ["--", "/*"] }],
]);

/** By the whole name of the file, in lower case. */
const byName = new Map([
  ["dockerfile", hashAtStart],
  ["containerfile", hashAtStart],
  ["codeowners", hashAtStart],
]);

/** Chooses the style by the name of a file. Files of unknown formats, such as source code, may have any comment. */
export function toCommentStyle(name: string): CommentStyle {
  const file = name.slice(name.lastIndexOf("/") + 1).toLowerCase();
  if (/^\.env(?:\.|$)/.test(file)) return hash;
  if (/^(?:dockerfile|containerfile)\./.test(file)) return hashAtStart;
  return byName.get(file) ?? byExtension.get(file.slice(file.lastIndexOf(".") + 1)) ?? any;
}
