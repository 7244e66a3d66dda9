import { fromJson } from "../data/from-json.ts";
import type { Value } from "../data/value.ts";
import { DocumentFault } from "../fault.ts";
import { createTree, type Fail, type Step } from "./tree.ts";

/**
 * Returns the value that statements of gron make, in any order; some may be missing. Of two for one path the last counts. Lines
 * that are empty, or `--` as grep writes it between its matches, are skipped.
 * @throws DocumentFault with the place in the text.
 */
export function readGron(text: string): Value {
  const tree = createTree({ exclusive: false, counts: false });
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found;
    const line = text.slice(at, end).trim();
    if (line !== "" && line !== "--") readStatement(text.slice(0, end), at);
    at = end + 1;
  }
  return tree.value() ?? null;

  function readStatement(until: string, from: number): void {
    const { path, to } = readPath(until, from);
    const equals = /[ \t]*=[ \t]*/y;
    equals.lastIndex = to;
    const sign = equals.exec(until);
    if (sign === null) throw failAt("Expected = after the path", to);
    const start = to + sign[0].length;
    const written = until.slice(start).replace(/[ \t\r]*;?[ \t\r]*$/, "");
    const fail: Fail = (message, rule, limit) => {
      const shown = until.slice(from, to).trim();
      const name = shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
      return new DocumentFault(`${name} ${message}.`, { index: from }, rule, limit);
    };
    tree.put(path, readScalar(written, start), fail);
  }
}

function readScalar(text: string, index: number): Value {
  try {
    return fromJson(text);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const offset = error.at.offset ?? 0;
    const units = Buffer.from(text).subarray(0, offset).toString().length;
    throw new DocumentFault(error.message, { index: index + units }, error.rule, error.limit);
  }
}

/** Reads `json.a["b"][0]`; the name at the beginning may be any. */
function readPath(text: string, from: number): { path: Step[]; to: number } {
  const path: Step[] = [];
  const space = /[ \t]*/y;
  space.lastIndex = from;
  let at = from + (space.exec(text)?.[0].length ?? 0);
  const root = nameAt(text, at);
  if (root === undefined && text[at] !== "[")
    throw failAt("A statement begins with the path of a value, such as json.a[0] = 1;", at);
  at += root?.length ?? 0;
  for (;;) {
    if (text[at] === ".") {
      const name = nameAt(text, at + 1);
      if (name === undefined)
        throw failAt("Expected a name after the point; others are in brackets and quotes", at);
      path.push(name);
      at += name.length + 1;
      continue;
    }
    if (text[at] !== "[") return { path, to: at };
    const bracket = /\[(?:(0|[1-9]\d{0,8})|("[^"\\]*(?:\\[^][^"\\]*)*"))\]/y;
    bracket.lastIndex = at;
    const [whole, index, key] = bracket.exec(text) ?? [];
    if (whole === undefined) throw failAt("In brackets stands an index or a key in double quotes", at);
    path.push(key === undefined ? Number(index) : (readScalar(key, at + 1) as string));
    at += whole.length;
  }
}

function nameAt(text: string, at: number): string | undefined {
  const name = /[\p{L}\p{Nl}$_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$]*/uy;
  name.lastIndex = at;
  return name.exec(text)?.[0];
}

const failAt = (message: string, index: number): DocumentFault =>
  new DocumentFault(`${message}.`, { index }, "bad-path");
