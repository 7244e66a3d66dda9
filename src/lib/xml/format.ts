import { checkLength } from "../data/result-length.ts";
import { isBlank } from "./chars.ts";
import { readDocument } from "./document.ts";
import type { XmlToken } from "./lex.ts";

export interface XmlFormatOptions {
  /** Spaces per level; 0 adds no line ends. */
  indent: number;
  /** Writes one tab a level, unless `indent` is 0; a tab counts as `indent` columns. */
  useTabs: boolean;
  /** Column beyond which the attributes of a tag get a line each; 0 for none. */
  width: number;
  /** Whether each attribute of a tag with several gets its own line. */
  attributesPerLine: boolean;
  /**
   * `preserve-mixed`: lays out content of elements only, leaves an element with text as it is. `preserve`:
   * changes no white space outside of tags. `collapse`: makes white space one space, and none at the ends.
   */
  whitespace: "preserve-mixed" | "preserve" | "collapse";
  fragment: boolean;
}

/**
 * The layout of the content of an element: one part per line, on one line with single spaces, or unchanged.
 */
type Layout = "lines" | "inline" | "verbatim";

interface Frame {
  readonly layout: Layout;
  /** From xml:space; "default" undoes an outer "preserve" (§2.10). */
  readonly preserve: boolean;
  empty: boolean;
}

/** Formats a document. Tags, text, references, sections, comments and the DOCTYPE stay as written. */
export function formatXml(text: string, options: XmlFormatOptions): string {
  const tokens: XmlToken[] = [];
  readDocument(text, options.fragment, { onToken: (token) => tokens.push(token) });
  if (!tokens.some(({ kind }) => kind === "open")) readDocument(text, false);
  const { mixed, top } = findMixed(text, tokens);
  const lineEnd = /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n";
  const frames: Frame[] = [{ layout: layoutOf(top, false, options), preserve: false, empty: true }];
  const indentation = options.useTabs ? "\t".repeat(Math.min(options.indent, 1)) : " ".repeat(options.indent);
  let out = "";

  const newLine = (level: number): void => {
    if (options.indent > 0 && out !== "") out += lineEnd + indentation.repeat(level);
    checkLength(out.length);
  };

  tokens.forEach((token, index) => {
    const frame = frames.at(-1) as Frame;
    const level = frames.length - 1;
    switch (token.kind) {
      case "text":
        if (frame.layout === "verbatim") out += text.slice(token.from, token.to);
        else if (frame.layout === "inline") out += collapse(text, tokens, index);
        return;
      case "close":
        frames.pop();
        if (frame.layout === "lines" && !frame.empty) newLine(level - 1);
        out += `</${token.name}>`;
        return;
      case "open": {
        if (frame.layout === "lines") newLine(level);
        frame.empty = false;
        out += tagText(
          text,
          token,
          options,
          frame.layout === "lines" ? lineEnd + indentation.repeat(level + 1) : "",
          level * options.indent,
        );
        if (token.empty) return;
        const preserve = spaceOf(text, token) ?? frame.preserve;
        const inherited = frame.layout !== "lines" && !frame.preserve;
        const layout = preserve
          ? "verbatim"
          : inherited
            ? frame.layout
            : layoutOf(mixed.has(index), isLeaf(tokens, index), options);
        frames.push({ layout, preserve, empty: true });
        return;
      }
      default:
        if (frame.layout === "lines") newLine(level);
        frame.empty = false;
        out += text.slice(token.from, token.to);
    }
  });
  return out;
}

function layoutOf(mixed: boolean, leaf: boolean, { whitespace }: XmlFormatOptions): Layout {
  if (whitespace === "preserve") return "verbatim";
  if (whitespace === "collapse") return mixed ? "inline" : "lines";
  // In an element without children, white space is the value.
  return mixed || leaf ? "verbatim" : "lines";
}

/** Reports whether an element contains no markup. */
const isLeaf = (tokens: readonly XmlToken[], open: number): boolean =>
  tokens[open + 1]?.kind === "close" ||
  (tokens[open + 2]?.kind === "close" && tokens[open + 1]?.kind === "text");

/**
 * Finds the elements, by the index of their tag, that have text of their own; `top` says it for the document.
 */
function findMixed(text: string, tokens: readonly XmlToken[]): { mixed: Set<number>; top: boolean } {
  const mixed = new Set<number>();
  const open = [-1];
  tokens.forEach(({ kind, from, to, empty }, index) => {
    if (kind === "open" && !empty) open.push(index);
    else if (kind === "close") open.pop();
    else if (kind === "cdata" || (kind === "text" && !isBlank(text, from, to)))
      mixed.add(open.at(-1) as number);
  });
  return { mixed, top: mixed.has(-1) };
}

function spaceOf(text: string, { attributes }: XmlToken): boolean | undefined {
  const found = attributes.find(({ name }) => name === "xml:space");
  return found && text.slice(found.valueFrom, found.valueTo) === "preserve";
}

/** Writes a tag at a column with its attributes unchanged; `lineSeparator` precedes each if they get lines. */
function tagText(
  text: string,
  token: XmlToken,
  { attributesPerLine, indent, width }: XmlFormatOptions,
  lineSeparator: string,
  column: number,
): string {
  const { name, attributes, empty, to } = token;
  const end = empty ? (/\s/.test(text[to - 3] as string) ? " />" : "/>") : ">";
  const write = (separator: string): string =>
    `<${name}${attributes.map((one) => `${separator}${one.name}=${text.slice(one.valueFrom - 1, one.valueTo + 1)}`).join("")}${end}`;
  const canBreak = indent > 0 && lineSeparator !== "";
  if (canBreak && attributesPerLine && attributes.length > 1) return write(lineSeparator);
  const line = write(" ");
  return canBreak && width > 0 && attributes.length > 0 && column + line.length > width
    ? write(lineSeparator)
    : line;
}

function collapse(text: string, tokens: readonly XmlToken[], index: number): string {
  const { from, to } = tokens[index] as XmlToken;
  const single = text.slice(from, to).replace(/[ \t\r\n]+/g, " ");
  const before = tokens[index - 1];
  const after = tokens[index + 1];
  const trimmed =
    before === undefined || (before.kind === "open" && !before.empty) ? single.replace(/^ /, "") : single;
  return after === undefined || after.kind === "close" ? trimmed.replace(/ $/, "") : trimmed;
}
