import { OptionFault } from "../fault.ts";

/** One step of a path: a key, an index (negative from the end), every item, or the items in which a member has a value. */
export type PathStep =
  | { readonly key: string }
  | { readonly index: number }
  | { readonly every: true }
  | { readonly member: string; readonly equals: string };

/** A line such as `a.b[0]="x"`, `a.list[]+=1` or `-a.b`. */
export interface ParsedEdit {
  readonly kind: "set" | "append" | "remove";
  readonly path: readonly PathStep[];
  /** The text of the value, for `set` and `append`. */
  readonly value: string;
}

/** @throws OptionFault with the index of what is wrong */
export function parseEdit(line: string): ParsedEdit {
  const removes = /^\s*-(?!=)/.test(line);
  const reader = { text: line, at: removes ? line.indexOf("-") + 1 : 0 };
  const path = readPath(reader);
  skipSpace(reader);
  if (path.length === 0) fail("An edit begins with a path, such as a.b", reader.at);
  if (removes) {
    if (reader.at < line.length) fail("An edit that removes ends with its path", reader.at);
    return { kind: "remove", path, value: "" };
  }
  const appends = line.startsWith("+=", reader.at);
  if (!appends && line[reader.at] !== "=")
    fail("Expected = and a value after the path, or - before it", reader.at);
  const value = line.slice(reader.at + (appends ? 2 : 1)).trim();
  if (!appends) return { kind: "set", path, value };
  const last = path.at(-1) as PathStep;
  if (!("every" in last)) fail("A value is appended to a list with []+=", reader.at);
  return { kind: "append", path: path.slice(0, -1), value };
}

interface Reader {
  readonly text: string;
  at: number;
}

const bare = /(?:[^.[\]"'=+\s]|\+(?!=))+/y;
const quoted = /"(?:[^"\\]|\\[^])*"|'[^']*'/y;
const bracketed =
  /\[\s*(?:(-?(?:0|[1-9]\d{0,8}))|("(?:[^"\\]|\\[^])*"|'[^']*')|(?:((?:[^.[\]"'=+\s])+|"(?:[^"\\]|\\[^])*"|'[^']*')\s*=\s*("(?:[^"\\]|\\[^])*"|'[^']*'|[^\]"']*)))?\s*\]/y;

function readPath(reader: Reader): PathStep[] {
  const path: PathStep[] = [];
  skipSpace(reader);
  for (;;) {
    const { text, at } = reader;
    if (text[at] === "[") {
      path.push(readBracket(reader));
      continue;
    }
    if (text[at] === ".") reader.at++;
    else if (path.length > 0) return path;
    if (text[reader.at] === "[") continue;
    const key = take(reader, quoted) ?? take(reader, bare);
    if (key === undefined)
      return text[at] === "." && path.length > 0 ? fail("Expected a key after the point", reader.at) : path;
    path.push({ key: unquote(key, at) });
  }
}

function readBracket(reader: Reader): PathStep {
  const from = reader.at;
  bracketed.lastIndex = from;
  const found = bracketed.exec(reader.text);
  if (found === null) return fail("In brackets stands an index, a key in quotes, key=value or nothing", from);
  reader.at = bracketed.lastIndex;
  const [, index, key, member, equals = ""] = found;
  if (index !== undefined) return { index: Number(index) };
  if (key !== undefined) return { key: unquote(key, from) };
  if (member !== undefined) return { member: unquote(member, from), equals: unquote(equals.trim(), from) };
  return { every: true };
}

function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  reader.at += found?.length ?? 0;
  return found;
}

function unquote(text: string, index: number): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return fail("A key in double quotes has the escapes of JSON", index);
  }
}

function skipSpace(reader: Reader): void {
  while (/\s/.test(reader.text[reader.at] ?? "")) reader.at++;
}

function fail(message: string, index: number): never {
  throw new OptionFault(message, { index });
}
