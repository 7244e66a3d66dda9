import type { CST } from "yaml";

/**
 * A YAML stream as its pieces: everything but white space and line ends, in text order. Between two pieces there is nothing
 * but white space, so that a caller can edit what lies between them, or a piece, and leave the rest as it is.
 */
export interface YamlSource {
  readonly text: string;
  /** The earliest start of the first piece: behind a byte order mark. */
  readonly start: number;
  readonly pieces: readonly Piece[];
}

export type PieceType =
  | Exclude<CST.TokenType, "space" | "newline" | "doc-mode" | "flow-error-end" | "byte-order-mark">
  | "directive"
  /** The lines of a block scalar, with their indentation; its header is a piece of its own. */
  | "block-scalar"
  /** `{{ name }}`, which the parser takes for a map in a map. */
  | "template";

export interface Piece {
  readonly type: PieceType;
  /** In UTF-16 code units, from 0; `to` is behind the piece. */
  readonly from: number;
  readonly to: number;
  /** The innermost collection, or the document, that the piece is in; brackets are in their own collection. */
  readonly level: Level;
  /**
   * - `marker`: a directive, `---` or `...`.
   * - `entry`: stands at the column of its block collection when it begins a line: a key, `?`, `:` or `-`.
   * - `value`: stands deeper than its collection when it begins a line.
   */
  readonly role: Role;
  /** Line ends between the previous piece and this one; the start of the text counts as one. */
  readonly lines: number;
  /** Characters before it in its line. */
  readonly column: number;
}

export type Role = "marker" | "entry" | "value";

/** A document or a collection. */
export interface Level {
  readonly kind: "document" | "map" | "seq" | "flow-map" | "flow-seq";
  /** Undefined for a document. */
  readonly parent: Level | undefined;
  /**
   * The indexes of its first piece and of its last one. The last pieces of a block collection can be comments that belong to what
   * follows it.
   */
  readonly first: number;
  last: number;
  /** The entries of a map, the items of a sequence; in text order. */
  readonly entries: Entry[];
}

export interface Entry {
  /** The index of its first piece that is not a comment. */
  first: number;
  /** The index behind its last piece that is not a comment. */
  end: number;
  readonly key: CST.Token | null | undefined;
}

/** Returns the header of a block scalar, by the index of its lines. */
export function headerOf({ pieces }: YamlSource, index: number): Piece {
  let header = index;
  while (pieces[header]?.type !== "block-scalar-header") header--;
  return pieces[header] as Piece;
}

/** A part that remains to be read, the next one last: a token in a collection, or the end of a collection or of an entry. */
type Step =
  | { readonly token: CST.Token | null | undefined; readonly level: Level; readonly role: Role }
  | { readonly begins: Entry }
  | { readonly ends: Level }
  | { readonly closes: Entry; readonly level: Level };

/**
 * Reads the tokens of a stream that has no faults. Returns undefined if the pieces are not in text order, or if something other
 * than white space lies between them.
 */
export function readSource(text: string, tokens: readonly CST.Token[]): YamlSource | undefined {
  const start = text.startsWith("\ufeff") ? 1 : 0;
  const reader: Reader = { text, pieces: [], at: start, lineStart: start, lines: 1, ordered: true };
  const stream: Level = { kind: "document", parent: undefined, first: 0, last: 0, entries: [] };
  const open: Step[] = [];
  push(
    open,
    tokens.map((token) => ({ token, level: stream, role: "marker" })),
  );
  for (let step = open.pop(); step !== undefined && reader.ordered; step = open.pop()) {
    if ("ends" in step) step.ends.last = reader.pieces.length - 1;
    else if ("begins" in step) step.begins.first = reader.pieces.length;
    else if ("closes" in step) closeEntry(reader, step.closes, step.level);
    else if (step.token) push(open, visit(reader, step.token, step.level, step.role));
  }
  skip(reader, text.length);
  return reader.ordered ? { text, start, pieces: reader.pieces } : undefined;
}

interface Reader {
  readonly text: string;
  readonly pieces: Piece[];
  /** The end of the last piece. */
  at: number;
  lineStart: number;
  /** Line ends since the last piece. */
  lines: number;
  ordered: boolean;
}

function push(open: Step[], steps: readonly Step[]): void {
  for (let at = steps.length - 1; at >= 0; at--) open.push(steps[at] as Step);
}

/** Reads white space up to an index. */
function skip(reader: Reader, to: number): void {
  if (to < reader.at) reader.ordered = false;
  for (; reader.at < to; reader.at++) {
    const unit = reader.text.charCodeAt(reader.at);
    if (unit === 0x0a) {
      reader.lines++;
      reader.lineStart = reader.at + 1;
    } else if (unit !== 0x20 && unit !== 0x09 && unit !== 0x0d) reader.ordered = false;
  }
}

function add(reader: Reader, type: PieceType, from: number, source: string, level: Level, role: Role): void {
  skip(reader, from);
  const to = from + source.length;
  const { lines, lineStart } = reader;
  reader.pieces.push({ type, from, to, level, role, lines, column: from - lineStart });
  const last = source.lastIndexOf("\n");
  if (last >= 0) reader.lineStart = from + last + 1;
  reader.at = to;
  reader.lines = 0;
}

/** Comments and commas around an entry are not in it, and a comma at the end of a map begins none. */
function closeEntry({ pieces }: Reader, entry: Entry, level: Level): void {
  const isAround = (piece: Piece | undefined): boolean =>
    piece?.type === "comment" || piece?.type === "comma";
  entry.end = pieces.length;
  while (entry.first < entry.end && isAround(pieces[entry.first])) entry.first++;
  while (entry.first < entry.end && isAround(pieces[entry.end - 1])) entry.end--;
  if (entry.first < entry.end) level.entries.push(entry);
}

/** Adds the pieces of one token, and returns the steps to what is in it. */
function visit(reader: Reader, token: CST.Token, level: Level, role: Role): Step[] {
  switch (token.type) {
    case "space":
    case "newline":
    case "doc-mode":
    case "flow-error-end":
      return [];
    case "byte-order-mark":
      if (token.offset > 0) reader.ordered = false;
      return [];
    case "error":
      reader.ordered = false;
      return [];
    case "document": {
      const document: Level = {
        kind: "document",
        parent: undefined,
        first: reader.pieces.length,
        last: 0,
        entries: [],
      };
      return [
        ...toSteps(token.start, document, "value"),
        { token: token.value, level: document, role: "value" },
        ...toSteps(token.end, document, "value"),
        { ends: document },
      ];
    }
    case "comment":
      add(reader, token.type, token.offset, token.source.trimEnd(), level, role);
      return [];
    case "doc-start":
      add(reader, token.type, token.offset, token.source, level, "marker");
      return [];
    case "block-scalar":
      return visitBlockScalar(reader, token, level, role);
    case "block-map":
    case "block-seq":
      return visitBlock(reader, token, level);
    case "flow-collection":
      return visitFlow(reader, token, level, role);
    default:
      // The parser has a scalar of no characters for some of the values that are missing.
      if (token.source !== "") add(reader, token.type, token.offset, token.source, level, role);
      return "end" in token ? toSteps(token.end, level, role) : [];
  }
}

const toSteps = (tokens: readonly CST.Token[] | undefined, level: Level, role: Role): Step[] =>
  tokens?.map((token) => ({ token, level, role })) ?? [];

function visitBlockScalar(reader: Reader, token: CST.BlockScalar, level: Level, role: Role): Step[] {
  for (const prop of token.props) {
    if (prop.type === "space" || prop.type === "newline") continue;
    const source = "source" in prop ? prop.source : "";
    const of = prop.type === "comment" ? "comment" : "block-scalar-header";
    add(reader, of, prop.offset, of === "comment" ? source.trimEnd() : source, level, role);
  }
  if (token.source === "") return [];
  const header = token.props.at(-1);
  const from =
    header !== undefined && "source" in header ? header.offset + header.source.length : token.offset;
  add(reader, "block-scalar", from, token.source.replace(/\r?\n$/, ""), level, role);
  return [];
}

function visitBlock(reader: Reader, token: CST.BlockMap | CST.BlockSequence, parent: Level): Step[] {
  const kind = token.type === "block-map" ? "map" : "seq";
  const level: Level = { kind, parent, first: reader.pieces.length, last: 0, entries: [] };
  const steps: Step[] = [];
  for (const { start, key, sep, value } of token.items as CST.CollectionItem[]) {
    const entry: Entry = { first: 0, end: 0, key };
    steps.push({ begins: entry });
    let role: Role = "entry";
    for (const one of start) {
      steps.push({ token: one, level, role });
      if (one.type === "explicit-key-ind" || one.type === "seq-item-ind") role = "value";
    }
    if (kind === "map") {
      steps.push({ token: key, level, role });
      for (const one of sep ?? [])
        steps.push({ token: one, level, role: one.type === "map-value-ind" ? "entry" : "value" });
    }
    steps.push({ token: value, level, role: "value" }, { closes: entry, level });
  }
  return [...steps, { ends: level }];
}

function visitFlow(reader: Reader, token: CST.FlowCollection, parent: Level, role: Role): Step[] {
  const { offset, start, items } = token;
  const [end, ...after] = token.end;
  const source = templateAt(reader.text, offset, end);
  if (source !== undefined) {
    add(reader, "template", offset, source, parent, role);
    return toSteps(after, parent, role);
  }
  const kind = start.type === "flow-map-start" ? "flow-map" : "flow-seq";
  const level: Level = { kind, parent, first: reader.pieces.length, last: 0, entries: [] };
  add(reader, start.type as PieceType, offset, start.source, level, role);
  const steps: Step[] = [];
  for (const item of items) {
    const entry: Entry = { first: 0, end: 0, key: item.key };
    steps.push({ begins: entry }, ...toSteps(item.start, level, "value"));
    steps.push({ token: item.key, level, role: "value" }, ...toSteps(item.sep, level, "value"));
    steps.push({ token: item.value, level, role: "value" }, { closes: entry, level });
  }
  return [
    ...steps,
    ...toSteps(end && [end], level, "value"),
    { ends: level },
    ...toSteps(after, parent, role),
  ];
}

/** Returns `{{ name }}`, the usual placeholder of templates, if the collection is one. */
function templateAt(text: string, from: number, end: CST.SourceToken | undefined): string | undefined {
  if (text.charCodeAt(from + 1) !== 0x7b || end === undefined || end.offset - from > maxTemplate)
    return undefined;
  const source = text.slice(from, end.offset + 1);
  return /^\{\{[^\n]*\}\}$/.test(source) ? source : undefined;
}

/** Longer ones are formatted as the maps that they are. */
const maxTemplate = 1000;
