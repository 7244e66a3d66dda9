import type { Report } from "../../../../catalog/report.ts";
import type { ViewName } from "../../../../catalog/view-name.ts";
import { itemsOf, type Json, memberOf, readJson } from "./json.ts";

type Result = string | Uint8Array;

/** Longest result, in UTF-16 code units, that is parsed to choose a view; a longer one is code. */
const maxParsed = 500_000;

/** Returns the view for a result that no tool names one for, or that has not the shape of the one that it names. */
export function chooseByShape(result: Result, report: Report | undefined): ViewName {
  if (typeof result !== "string") return "bytes";
  if (report !== undefined) return "report";
  if (isSvg(result)) return "image";
  const value = parse(result);
  if (value === undefined) return "code";
  if (isTable(value)) return "table";
  return isFlat(value) ? "props" : "code:json";
}

/** Whether a result has the shape that a view shows. */
export function fits(name: ViewName, result: Result, report: Report | undefined): boolean {
  if (typeof result !== "string") return name === "bytes" || name === "image";
  return shapes[name]?.(result, report) ?? report === undefined;
}

const isReport = (_: string, report: Report | undefined): boolean => report !== undefined;
const hasMembers =
  (...names: string[]) =>
  (result: string): boolean => {
    const value = parse(result);
    return names.every((one) => memberOf(value, one) !== undefined);
  };

/** Views that show one shape of result; the others show any text that is no report. */
const isTokenOrDecoded = (result: string): boolean =>
  isToken(result) || hasMembers("header", "payload", "signature")(result);

/** Views that show one shape of result; the others show any text that is no report. */
const shapes: Readonly<Partial<Record<ViewName, (result: string, report: Report | undefined) => boolean>>> = {
  report: isReport,
  "report+cert": isReport,
  "report+table": isReport,
  "report:changes": isReport,
  verdict: isReport,
  "verdict+cards:jwt": isReport,
  "cards:jwt": isTokenOrDecoded,
  "cards:token": isTokenOrDecoded,
  "cards:cert": hasMembers("certificates"),
  "cards:ssh": hasMembers("keys"),
  match: hasMembers("matches", "count"),
  cron: hasMembers("fields", "runs"),
  offers: hasMembers("items"),
  diff: (result) =>
    result === "" || /^@@ /m.test(result) || hasMembers("changes", "added", "removed")(result),
  image: (result) => !/^\s*[[{]/.test(result),
  table: isTabular,
  "table+code": isTabular,
  props: isObjectOrText,
  "props+table": isObjectOrText,
};

function isTabular(result: string): boolean {
  const value = parse(result);
  return value === undefined || isTable(value) || itemsOf(memberOf(value, "items")).length > 0;
}

function isObjectOrText(result: string): boolean {
  const value = parse(result);
  return value === undefined || value.kind === "object";
}

/** Whether a text is a token in its compact form: three parts of base64url, of which the last may be empty. */
export const isToken = (text: string): boolean => /^[\w-]+\.[\w-]*\.[\w-]*\s*$/.test(text);

function parse(result: string): Json | undefined {
  return result.length <= maxParsed && /^\s*[[{]/.test(result) ? readJson(result) : undefined;
}

/** Whether a text is an SVG image. */
export const isSvg = (text: string): boolean => /^(?:<\?xml[^>]*>\s*)?<svg[\s>]/.test(text);

const isScalar = (value: Json): boolean => "text" in value;

/** Whether a value is an object without objects and arrays in it. */
export const isFlat = (value: Json): boolean =>
  value.kind === "object" && value.members.length > 0 && value.members.every(([, one]) => isScalar(one));

/** Whether a value is a list of at least one flat object and nothing else. */
export const isTable = (value: Json): boolean => {
  const items = itemsOf(value);
  return items.length > 0 && items.every(isFlat);
};

/** Longest JSON text whose value decides which tabs there are; of a longer one its beginning does. */
const maxInspected = 500_000;

/** Returns whether a JSON text has a tree and a table to show. */
export function inspectJson(text: string): { isNested: boolean; isTable: boolean } {
  if (text.length > maxInspected)
    return { isNested: /^\s*[[{]/.test(text), isTable: /^\s*\[\s*\{/.test(text) };
  const value = readJson(text);
  return {
    isNested: value !== undefined && !("text" in value),
    isTable: value !== undefined && isTable(value),
  };
}
