import { DocumentFault } from "../fault.ts";
import { type List, maxDepth, type Value } from "../data/value.ts";
import { type Cursor, describeUnit, skipLines, skipSpace } from "./cursor.ts";
import { readKey } from "./keys.ts";
import { readScalar } from "./scalars.ts";
import { readString } from "./strings.ts";
import { type Path, type Place, type Table, type Tables, tooDeep } from "./tables.ts";

/** An open bracket or brace; `target` receives the next value. */
type Frame = ListFrame | TableFrame;

interface ListFrame {
  readonly list: List;
  readonly path: Path;
  readonly from: number;
}

interface TableFrame {
  readonly table: Table;
  target: Place;
  readonly from: number;
}

/** Reads the value at the cursor, of any depth, into its place. */
export function readValue(cursor: Cursor, tables: Tables, place: Place): void {
  const open: Frame[] = [];
  const put = (value: Value): void => {
    const frame = open.at(-1);
    if (frame === undefined) store(place, value);
    else if ("list" in frame) frame.list.push(value);
    else store(frame.target, value);
  };
  for (;;) {
    if (startValue()) continue;
    // After a complete value, closes the brackets that end there.
    for (;;) {
      const frame = open.at(-1);
      if (frame === undefined) return;
      if (!endItem(frame)) break;
      open.pop();
    }
  }

  /** Reads a scalar or an empty container, or opens one; returns whether a value must follow now. */
  function startValue(): boolean {
    const { at } = cursor;
    const unit = cursor.text.charCodeAt(at);
    if (unit === 0x22 || unit === 0x27) {
      put(readString(cursor));
      return false;
    }
    if (unit !== 0x5b && unit !== 0x7b) {
      put(readScalar(cursor));
      return false;
    }
    const depth = place.table.depth + open.length + 1;
    if (depth > maxDepth) throw tooDeep(at);
    cursor.at++;
    const path = innerPath();
    if (unit === 0x5b) {
      const list: List = [];
      put(list);
      skipLines(cursor);
      open.push({ list, path, from: at });
      return cursor.text.charCodeAt(cursor.at) !== 0x5d;
    }
    const table = tables.inline(path, depth);
    put(table.value);
    skipBetween(cursor);
    const frame: TableFrame = { table, target: { table, name: "", taken: true }, from: at };
    open.push(frame);
    if (cursor.text.charCodeAt(cursor.at) === 0x7d) return false;
    startPair(frame);
    return true;
  }

  /** Returns the path of the next value. */
  function innerPath(): Path {
    const frame = open.at(-1);
    if (frame !== undefined && "list" in frame) return { outer: frame.path, name: frame.list.length };
    const { table, name } = frame?.target ?? place;
    return { outer: table.path, name };
  }

  function startPair(frame: TableFrame): void {
    if (/^[\r\n#]/.test(cursor.text.charAt(cursor.at))) throw unexpected("a key");
    frame.target = tables.place(frame.table, readKey(cursor));
    skipSpace(cursor);
    if (cursor.text.charCodeAt(cursor.at) !== 0x3d) throw unexpected("'=' after the key");
    cursor.at++;
    skipSpace(cursor);
  }

  /**
   * Moves past the comma to the next value, or past the closing bracket; returns whether it was the bracket.
   */
  function endItem(frame: Frame): boolean {
    const isList = "list" in frame;
    const close = isList ? 0x5d : 0x7d;
    const what = isList ? "',' or ']' after the value" : "',' or '}' after the value";
    if (isList) skipLines(cursor);
    else skipBetween(cursor);
    if (cursor.text.charCodeAt(cursor.at) === close) {
      cursor.at++;
      if (!isList) frame.table.origin = "inline";
      return true;
    }
    if (cursor.at >= cursor.text.length) throw unclosed(frame);
    if (cursor.text.charCodeAt(cursor.at) !== 0x2c) throw unexpected(what);
    const comma = cursor.at++;
    if (isList) skipLines(cursor);
    else skipBetween(cursor);
    if (cursor.text.charCodeAt(cursor.at) === close) {
      if (!isList && cursor.version === "1.0")
        throw new DocumentFault("A comma before '}' is new in TOML 1.1; remove it.", { index: comma });
      return endItem(frame);
    }
    if (cursor.at >= cursor.text.length) throw unclosed(frame);
    if (!isList) startPair(frame);
    return false;
  }

  function unexpected(what: string): DocumentFault {
    const newline = cursor.version === "1.0" && /^[\r\n#]/.test(cursor.text.charAt(cursor.at));
    const hint = newline && open.length > 0 ? " TOML 1.0 requires braces on one line." : "";
    return new DocumentFault(`Expected ${what}; found ${describeUnit(cursor)}.${hint}`, { index: cursor.at });
  }
}

function store({ table, name, taken }: Place, value: Value): void {
  if (!taken) table.value.set(name, value);
}

/** Skips the space between parts of an inline table: 1.0 allows spaces, 1.1 also lines and comments. */
function skipBetween(cursor: Cursor): void {
  if (cursor.version === "1.0") skipSpace(cursor);
  else skipLines(cursor);
}

function unclosed(frame: Frame): DocumentFault {
  const [bracket, name] = "list" in frame ? ["]", "array"] : ["}", "table"];
  return new DocumentFault(
    `This ${name} is not closed; expected '${bracket}'.`,
    { index: frame.from },
    "truncated",
  );
}
