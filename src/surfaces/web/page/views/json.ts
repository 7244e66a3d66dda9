/** A JSON value as it is written: numbers keep their digits, members their order, and equal keys stay. */
export type Json =
  | { kind: "object"; members: [name: string, value: Json][] }
  | { kind: "array"; items: Json[] }
  /** The text of a string is its characters, that of a number or word how it is written. */
  | { kind: "string" | "number" | "word"; text: string };

let last: { text: string; value: Json | undefined } | undefined;

/** Returns the value of a JSON text; undefined if it is none. The last one is kept, because the tabs of a view ask for the same. */
export function readJson(text: string): Json | undefined {
  if (last?.text !== text) last = { text, value: parse(text) };
  return last.value;
}

/** Without recursion: a result may be nested deeper than the stack. */
function parse(text: string): Json | undefined {
  // The parser of the browser decides what is JSON, so that the loop below need not.
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const root: Extract<Json, { kind: "array" }> = { kind: "array", items: [] };
  const open: Exclude<Json, { text: string }>[] = [];
  let parent: Exclude<Json, { text: string }> = root;
  let name: string | undefined;
  const add = (value: Json): void => {
    if (parent.kind === "array") parent.items.push(value);
    else {
      parent.members.push([name ?? "", value]);
      name = undefined;
    }
    if ("text" in value) return;
    open.push(parent);
    parent = value;
  };
  for (let at = 0; at < text.length;) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at);
        const string = toString(text, at, end);
        at = end;
        if (parent.kind === "object" && name === undefined) name = string;
        else add({ kind: "string", text: string });
        break;
      }
      case 0x7b:
        add({ kind: "object", members: [] });
        at++;
        break;
      case 0x5b:
        add({ kind: "array", items: [] });
        at++;
        break;
      case 0x7d:
      case 0x5d:
        parent = open.pop() ?? root;
        at++;
        break;
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
      case 0x2c:
      case 0x3a:
        at++;
        break;
      default: {
        const end = endOfScalar(text, at);
        const scalar = text.slice(at, end);
        add({ kind: /^[-\d]/.test(scalar) ? "number" : "word", text: scalar });
        at = end;
      }
    }
  }
  return root.items[0];
}

/** Returns the characters of a string that stands between quotes. */
function toString(text: string, from: number, end: number): string {
  const content = text.slice(from + 1, end - 1);
  return content.includes("\\") ? (JSON.parse(text.slice(from, end)) as string) : content;
}

/** Returns the end of a number or word; white space, a comma or a bracket follows it. */
function endOfScalar(text: string, from: number): number {
  let at = from + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code === 0x2c || code === 0x5d || code === 0x7d) break;
  }
  return at;
}

function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === "\\") escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
  return text.length;
}

/** Returns a member of an object, the last one of that name; undefined if there is none. */
export const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  value?.kind === "object" ? value.members.findLast(([key]) => key === name)?.[1] : undefined;

/** Returns the items of an array; none if it is something else. */
export const itemsOf = (value: Json | undefined): readonly Json[] =>
  value?.kind === "array" ? value.items : [];

/** Returns a scalar as a person reads it; a string without quotes. Undefined if it is none. */
export const textOf = (value: Json | undefined): string | undefined =>
  value !== undefined && "text" in value ? value.text : undefined;

/** Returns a value as JSON on one line. */
export function toLine(value: Json): string {
  if (value.kind === "string") return JSON.stringify(value.text);
  if ("text" in value) return value.text;
  if (value.kind === "array") return `[${value.items.map(toLine).join(", ")}]`;
  return `{${value.members.map(([name, one]) => `${JSON.stringify(name)}: ${toLine(one)}`).join(", ")}}`;
}

/** Returns a value as JSON, indented by two spaces. */
export function toIndented(value: Json, indent = ""): string {
  const deeper = `${indent}  `;
  if (value.kind === "array" && value.items.length > 0)
    return `[\n${value.items.map((item) => deeper + toIndented(item, deeper)).join(",\n")}\n${indent}]`;
  if (value.kind === "object" && value.members.length > 0)
    return `{\n${value.members.map(([name, one]) => `${deeper}${JSON.stringify(name)}: ${toIndented(one, deeper)}`).join(",\n")}\n${indent}}`;
  return toLine(value);
}
