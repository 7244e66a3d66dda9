import { trimmedLength } from "./check.ts";
import { type Indentation, readIndentation } from "./indentation.ts";
import { createExclusion, excludesFile, linesOf } from "./lines.ts";
import type { Properties } from "./properties.ts";

const lineEnds: Readonly<Record<string, string | undefined>> = { lf: "\n", crlf: "\r\n", cr: "\r" };

/**
 * Returns a text of UTF-8 as its settings want it, as far as that changes nothing else: line ends, spaces at the ends of lines, the
 * last line end, the byte order mark, and indentation that consists of tabs alone or of whole levels of spaces.
 */
export function fixStyle(text: string, properties: Properties): string {
  if (excludesFile(text)) return text;
  const end = lineEnds[properties.get("end_of_line") ?? ""];
  const trims = properties.get("trim_trailing_whitespace") === "true";
  const indentation = readIndentation(properties);
  const isExcluded = createExclusion();
  const marked = text.startsWith("\ufeff");
  const parts: string[] = [];
  let usual: string | undefined;
  for (const line of linesOf(marked ? text.slice(1) : text)) {
    let content = line.text;
    if (!isExcluded(content)) {
      if (trims) content = content.slice(0, trimmedLength(content));
      if (indentation !== undefined) content = indent(content, indentation);
    }
    usual ??= line.end === "" ? undefined : line.end;
    parts.push(content, line.end === "" ? "" : (end ?? line.end));
  }
  const charset = properties.get("charset");
  const mark = charset === "utf-8-bom" || (marked && charset !== "utf-8") ? "\ufeff" : "";
  const body = endText(parts.join(""), properties.get("insert_final_newline"), end ?? usual ?? "\n");
  return mark + body;
}

function endText(text: string, wanted: string | undefined, end: string): string {
  if (wanted === "true" && text !== "" && !/[\r\n]$/.test(text)) return text + end;
  if (wanted !== "false") return text;
  let last = text.length;
  while (last > 0 && (text[last - 1] === "\n" || text[last - 1] === "\r")) last--;
  return text.slice(0, last);
}

function indent(line: string, { style, size, width, hasWidth }: Indentation): string {
  const blank = /^[ \t]*/.exec(line)?.[0] ?? "";
  if (blank === "" || blank.length === line.length) return line;
  const rest = line.slice(blank.length);
  if (style === "space" && size !== undefined && !blank.includes(" "))
    return " ".repeat(size * blank.length) + rest;
  if (style === "tab" && hasWidth && !blank.includes("\t") && blank.length % width === 0)
    return "\t".repeat(blank.length / width) + rest;
  return line;
}
