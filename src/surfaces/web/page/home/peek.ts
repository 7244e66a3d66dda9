import { counted } from "../../../../lib/counted.ts";
import { readReport } from "../tab/call.ts";
import { findImage } from "../views/image-type.ts";
import { type Json as Value, readJson } from "../views/json.ts";
import { toAge } from "../views/hint.ts";
import { chooseByShape } from "../views/shape.ts";

/** A result in a few rows. */
export interface Peek {
  /** The image that the result is. */
  picture?: { type: string; body: string | Uint8Array<ArrayBuffer> };
  /** The state that the result tells, in words. */
  badge?: { text: string; kind: "ok" | "bad" | "warn" };
  rows: readonly PeekRow[];
}

export interface PeekRow {
  /** Empty for a line of text. */
  label: string;
  text: string;
}

const maxRows = 4;
/** Characters of a row; the place has no room for more. */
const maxText = 200;

/**
 * Returns the beginning of a result, in the view of its shape. @param input What it was made of; a row that only repeats it is left
 * out.
 */
export function toPeek(result: string | Uint8Array<ArrayBuffer>, input: string): Peek {
  if (typeof result !== "string") return peekAtBytes(result);
  const report = readReport(result);
  if (report !== undefined) {
    const { valid, errors } = report;
    return {
      badge: valid ? { text: "Valid", kind: "ok" } : { text: counted(errors.length, "finding"), kind: "bad" },
      rows: errors.slice(0, maxRows).map(({ message, line, column }) => ({
        label: line === undefined ? "" : `Line ${line}, column ${column ?? 1}`,
        text: message,
      })),
    };
  }
  const shape = chooseByShape(result, undefined);
  if (shape === "image") return { rows: [], picture: { type: "image/svg+xml", body: result } };
  if (shape === "table") return { rows: toTableRows(readJson(result)) };
  const value = readObject(result);
  if (value === undefined) return { rows: toLines(result) };
  const rows = leavesOf(value, timesOf(value)).filter(({ text }) => text !== input.trim());
  return { ...badgeOf(value), rows: (isToken(value) ? firstOf(rows) : rows).slice(0, maxRows) };
}

function peekAtBytes(bytes: Uint8Array<ArrayBuffer>): Peek {
  const size = counted(bytes.length, "byte");
  const image = findImage(bytes);
  if (image === undefined) return { rows: [{ label: "Bytes", text: size }] };
  const pixels = image.size === undefined ? "" : `${image.size.join(" × ")}, `;
  return {
    rows: [{ label: image.name, text: `${pixels}${size}` }],
    picture: { type: image.type, body: bytes },
  };
}

const isToken = ({ header, payload, signature }: JsonObject): boolean =>
  header !== undefined && payload !== undefined && signature !== undefined;

/** The most important members of a token, with their labels. */
const ofToken: Readonly<Record<string, string>> = {
  alg: "Algorithm",
  sub: "Subject",
  exp: "Expires",
  iss: "Issuer",
};

/** Returns the rows of a token: first what is asked of every one. */
function firstOf(rows: readonly PeekRow[]): PeekRow[] {
  const known = Object.keys(ofToken).flatMap((name) => rows.find(({ label }) => label === name) ?? []);
  return [
    ...known.map(({ label, text }) => ({ label: ofToken[label] ?? label, text: toMinute(text) })),
    ...rows.filter((row) => !known.includes(row)),
  ];
}

/** An instant as people read it; any other text as it is. */
const toMinute = (text: string): string =>
  text.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}(?:\.\d+)?Z$/, "$1 $2 UTC");

/** The names of the columns, and the cells of the first rows. */
function toTableRows(table: Value | undefined): PeekRow[] {
  const items = table?.kind === "array" ? table.items : [];
  const records = items.flatMap((item) => (item.kind === "object" ? [item.members] : []));
  const join = (cells: readonly string[]): string => cells.join(" · ").slice(0, maxText);
  return [
    { label: counted(records.length, "row"), text: join((records[0] ?? []).map(([name]) => name)) },
    ...records.slice(0, maxRows - 1).map((members, index) => ({
      label: String(index + 1),
      text: join(members.map(([, one]) => ("text" in one ? one.text : ""))),
    })),
  ];
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = Readonly<Record<string, Json>>;

function readObject(text: string): JsonObject | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}

const toLines = (text: string): PeekRow[] =>
  text.split("\n", maxRows).map((line) => ({ label: "", text: line.slice(0, maxText) }));

/** Returns a badge from the validity that a token or a certificate states. */
function badgeOf({ expired, valid, times }: JsonObject): Pick<Peek, "badge"> {
  const age = toAge(Date.parse(String((times as JsonObject | undefined)?.["exp"])));
  if (expired === true)
    return { badge: { text: age === undefined ? "Expired" : `Expired ${age}`, kind: "bad" } };
  if (valid === true) return { badge: { text: "Valid", kind: "ok" } };
  if (valid === false) return { badge: { text: "Not valid", kind: "bad" } };
  return {};
}

/** Times that a result has in two forms, by name; people read the second. */
const timesOf = ({ times }: JsonObject): JsonObject =>
  typeof times === "object" && times !== null && !Array.isArray(times) ? (times as JsonObject) : {};

/** Names whose values say nothing to a person. */
const unsaid: ReadonlySet<string> = new Set(["typ", "expired", "valid"]);

function leavesOf(value: JsonObject, times: JsonObject): PeekRow[] {
  return Object.entries(value).flatMap(([label, one]): PeekRow[] => {
    if (one === times || one === null || one === "" || unsaid.has(label)) return [];
    if (Array.isArray(one)) {
      const isFlat = one.length > 0 && one.every((item) => typeof item !== "object");
      return isFlat ? [{ label, text: one.join(", ").slice(0, maxText) }] : [];
    }
    if (typeof one === "object") return leavesOf(one as JsonObject, times);
    return [{ label, text: String(times[label] ?? one).slice(0, maxText) }];
  });
}
