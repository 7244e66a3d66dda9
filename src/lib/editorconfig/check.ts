import { type BoundedFindings, createBoundedFindings } from "../bounded-findings.ts";
import { countPoints } from "../text/count-points.ts";
import { createExclusion, excludesFile, type Line, linesOf } from "./lines.ts";
import { type Indentation, readIndentation } from "./indentation.ts";
import type { Properties } from "./properties.ts";

export interface StyleFinding {
  rule: string;
  severity: "error" | "warning";
  message: string;
  /** In UTF-16 code units. */
  index: number;
}

/** Most findings reported of each severity. */
const maxFindings = 100;

/** How the bytes of a file were read as text. */
export type Charset = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be" | "latin1";

/** Checks the text of a file by its settings. */
export function checkStyle(text: string, charset: Charset, properties: Properties): StyleFinding[] {
  if (excludesFile(text)) return [];
  const findings = createBoundedFindings<StyleFinding>(maxFindings);
  checkCharset(charset, properties, findings);
  checkLineEnds(text, properties, findings);
  checkLines(text, properties, findings);
  checkEnd(text, properties, findings);
  return findings.list();
}

type Findings = BoundedFindings<StyleFinding>;

const add = (findings: Findings, rule: string, index: number, message: string): void =>
  findings.add({ rule, severity: "error", message, index });

const names: Record<Charset, string> = {
  "utf-8": "UTF-8",
  "utf-8-bom": "UTF-8 with a byte order mark",
  "utf-16le": "UTF-16 (little-endian)",
  "utf-16be": "UTF-16 (big-endian)",
  latin1: "no UTF-8",
};

function checkCharset(charset: Charset, properties: Properties, findings: Findings): void {
  const wanted = properties.get("charset");
  if (wanted === undefined || wanted === charset || !Object.hasOwn(names, wanted)) return;
  add(findings, "charset", 0, `The file is ${names[charset]}; charset is ${wanted}.`);
}

const lineEnds: ReadonlyMap<string, Line["end"]> = new Map([
  ["lf", "\n"],
  ["crlf", "\r\n"],
  ["cr", "\r"],
]);

const shown: Record<Line["end"], string> = { "": "nothing", "\n": "LF", "\r\n": "CRLF", "\r": "CR" };

/** Reports the first wrong line end, with the number of all: a file has one editor, and usually one kind. */
function checkLineEnds(text: string, properties: Properties, findings: Findings): void {
  const name = properties.get("end_of_line");
  const wanted = lineEnds.get(name ?? "");
  if (wanted === undefined) return;
  let first: Line | undefined;
  let count = 0;
  for (const line of linesOf(text)) {
    if (line.end === "" || line.end === wanted) continue;
    first ??= line;
    count++;
  }
  if (first === undefined) return;
  const others = count === 1 ? "" : `, as do ${count - 1} other lines with wrong ends`;
  const message = `The line ends with ${shown[first.end]}${others}; end_of_line is ${name}.`;
  add(findings, "end-of-line", first.index + first.text.length, message);
}

function checkLines(text: string, properties: Properties, findings: Findings): void {
  const isExcluded = createExclusion();
  const trims = properties.get("trim_trailing_whitespace") === "true";
  const most = /^\d{1,9}$/.exec(properties.get("max_line_length") ?? "")?.[0];
  const indentation = readIndentation(properties);
  let isFirst = true;
  for (const line of linesOf(text)) {
    const { text: content, index } = line;
    const start = isFirst && content.startsWith("\ufeff") ? 1 : 0;
    isFirst = false;
    if (isExcluded(content)) continue;
    if (trims) {
      const end = trimmedLength(content);
      if (end < content.length)
        add(
          findings,
          "trailing-whitespace",
          index + end,
          "The line ends with spaces or tabs; trim_trailing_whitespace is true.",
        );
    }
    if (most !== undefined && content.length > Number(most))
      checkLength(content.slice(start), index + start, Number(most), findings);
    if (indentation !== undefined)
      checkIndentation(content.slice(start), index + start, indentation, findings);
    if (findings.isFull("error") && findings.isFull("warning")) return;
  }
}

/** Scans backwards: a pattern would try each run of spaces in a line from every start. */
export function trimmedLength(line: string): number {
  let end = line.length;
  while (end > 0 && /[ \t\f\v\u00a0]/.test(line[end - 1] as string)) end--;
  return end;
}

function checkLength(line: string, index: number, most: number, findings: Findings): void {
  const length = countPoints(line);
  if (length <= most) return;
  let at = 0;
  for (let points = 0; points < most; points++) at += (line.codePointAt(at) as number) > 0xffff ? 2 : 1;
  add(findings, "line-length", index + at, `The line has ${length} characters; max_line_length is ${most}.`);
}

function checkIndentation(
  line: string,
  index: number,
  { style, size, width }: Indentation,
  findings: Findings,
): void {
  const blank = /^[ \t]*/.exec(line)?.[0] ?? "";
  if (blank === "" || blank.length === line.length) return;
  // The continuation of a comment, as in Java and C: its star stands below the first one.
  const isComment = line[blank.length] === "*" && blank.endsWith(" ");
  const levels = isComment ? blank.slice(0, -1) : blank;
  const tab = levels.indexOf("\t");
  if (style === "space") {
    if (tab !== -1)
      return add(
        findings,
        "indent-style",
        index + tab,
        "The line is indented with a tab; indent_style is space.",
      );
    if (size === undefined || levels.length % size === 0) return;
    const message = `The line is indented by ${levels.length} ${levels.length === 1 ? "space" : "spaces"}; indent_size is ${size}.`;
    findings.add({ rule: "indent-size", severity: "warning", message, index: index + levels.length });
    return;
  }
  const space = levels.indexOf(" ");
  if (space === -1) return;
  const isAlignment =
    space > 0 && tab !== -1 && levels.lastIndexOf("\t") < space && levels.length - space < width;
  if (!isAlignment)
    add(findings, "indent-style", index + space, "The line is indented with spaces; indent_style is tab.");
}

function checkEnd(text: string, properties: Properties, findings: Findings): void {
  const wanted = properties.get("insert_final_newline");
  if (text === "" || text === "\ufeff") return;
  const has = /[\r\n]$/.test(text);
  if (wanted === "true" && !has)
    add(
      findings,
      "final-newline",
      text.length,
      "The file lacks a line end at its end; insert_final_newline is true.",
    );
  if (wanted === "false" && has)
    add(
      findings,
      "final-newline",
      text.length - 1,
      "The file ends with a line end; insert_final_newline is false.",
    );
}
