import type { Document, Scalar, ScalarTag } from "yaml";
import type { YamlDocument, YamlLibrary } from "./parse.ts";

const textTag = "tag:yaml.org,2002:str";
const format = "lines";

/** Has the library write folded text with the line breaks of `source`, which it would join. */
export function keepLines(yaml: YamlLibrary, document: YamlDocument, source: string): void {
  const { tags } = document.schema;
  const plain = tags.find((tag): tag is ScalarTag => tag.tag === textTag);
  if (plain?.stringify === undefined) return;
  const write = plain.stringify.bind(plain);
  const written = new Map<Scalar, string>();
  yaml.visit(document as Document, {
    Scalar(_, node) {
      const [from, to] = node.range ?? [0, 0];
      const raw = source.slice(from, to);
      if (node.type === "BLOCK_LITERAL" || !raw.trimEnd().includes("\n")) return;
      // An indicator counts from the indentation of the parent, which is not known here.
      if (/^>[-+]?\d/.test(raw)) return;
      written.set(node, raw.replaceAll("\r", ""));
      node.format = format;
    },
  });
  if (written.size === 0) return;
  tags.push({
    ...plain,
    format,
    stringify(node, context, ...calls) {
      const raw = written.get(node);
      const { implicitKey, inFlow, indent } = context;
      if (raw === undefined || implicitKey === true) return write(node, context, ...calls);
      if (node.type !== "BLOCK_FOLDED") return reindent(raw, indent);
      if (inFlow === true) return write(node, context, ...calls);
      const lines = new yaml.Scalar(`${blockLines(raw)}${/\n*$/.exec(String(node.value))?.[0] ?? ""}`);
      const { comment = null } = node;
      const literal = write(Object.assign(lines, { type: "BLOCK_LITERAL", comment }), context, ...calls);
      if (!literal.startsWith("|")) return write(node, context, ...calls);
      // The library indents an empty first line.
      return `>${literal.slice(1).replace(/^([^\n]*\n) +\n/, "$1\n")}`;
    },
  });
}

/** Has the library write the blank line before the comments at the end of a block map or sequence, which it would lose. */
export function keepBlankLines(yaml: YamlLibrary, document: YamlDocument, source: string): void {
  // Most documents have no such line.
  if (!/\n[ \t]*\r?\n[ \t]*#/.test(source)) return;
  yaml.visit(document as Document, {
    Collection(_, node) {
      const [, end, next] = node.range ?? [0, 0, 0];
      if (!node.comment || node.flow === true || !/^[ \t]*\r?\n/.test(source.slice(end, next))) return;
      node.comment = `\n${node.comment}`;
    },
  });
}

/** Returns the lines of a block scalar without their indentation, and without the line breaks at the end. */
function blockLines(raw: string): string {
  const lines = raw.split("\n").slice(1);
  while (lines.at(-1)?.trim() === "") lines.pop();
  const first = lines.find((line) => line.trim() !== "") ?? "";
  const indent = /^ */.exec(first)?.[0].length;
  return lines.map((line) => line.slice(indent)).join("\n");
}

const reindent = (raw: string, indent: string): string =>
  raw
    .split("\n")
    .map((line, at) => (at === 0 ? line.trimEnd() : line.trim()))
    .map((line, at) => (at === 0 || line === "" ? line : `${indent}${line}`))
    .join("\n");
