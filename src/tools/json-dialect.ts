import { z } from "zod";
import { ToolError } from "../catalog/errors.ts";
import { fromJson } from "../lib/data/from-json.ts";
import type { Value } from "../lib/data/value.ts";
import { DocumentFault } from "../lib/fault.ts";
import { findPointer } from "../lib/json/find-pointer.ts";
import type { JsonDialect } from "../lib/json/source.ts";
import { validateJson } from "../lib/json/validate.ts";
import type { Finding } from "../catalog/report.ts";
import { type FoundFault, toFindings } from "./findings.ts";
import { refusing } from "./refusing.ts";

const dialects = z.enum(["json", "jsonc", "json5"]).default("json");
const dialectNames =
  "Dialect of the document: json (RFC 8259), jsonc (JSON with comments and trailing commas) or json5 (the JSON5 specification)";

/** For tools whose result is in the same dialect. */
export const keptDialect = dialects.describe(
  `${dialectNames}; comments are kept, trailing commas are removed`,
);

/** For tools that read any dialect and write JSON. */
export const readDialect = dialects.describe(`${dialectNames}; the result has no comments`);

/** Bytes of the largest document in a dialect other than json, or with a width: each token is handled by itself. */
const maxDialect: number = 16 * 1024 * 1024;

/** @throws ToolError body_too_large */
export function checkDialectSize(length: number): void {
  if (length <= maxDialect) return;
  const message = `The document has ${length} bytes; with width, or with a dialect other than json, it can have at most ${maxDialect}.`;
  throw new ToolError("body_too_large", message, { limit: maxDialect });
}

/** Parses the field `data`, or `field`, in a dialect. @throws ToolError invalid_document */
export const readJson = (text: string, dialect: JsonDialect, field?: string): Value =>
  refusingJson(text, dialect, () => fromJson(text, dialect), { field });

interface Remedies {
  field?: string | undefined;
  /** The words before the name of the dialect that accepts the document. */
  remedy?: string;
  /** The value of the tool's option `duplicateKeys` that accepts duplicate keys, if it has one. */
  duplicates?: "keep" | "last";
}

const removesDuplicates = "data-converter with duplicateKeys set to last removes duplicates";

/**
 * Like `refusing`, for a document in a dialect: the error names the dialect that would accept the document, if any does,
 * after `remedy`.
 */
export function refusingJson<T>(
  document: string | Uint8Array,
  dialect: JsonDialect,
  work: () => T,
  { field, remedy = "set dialect to", duplicates }: Remedies = {},
): T {
  const explained = (error: unknown): unknown => {
    if (!(error instanceof DocumentFault)) return error;
    if (error.rule !== "duplicate-key" || error.at.first === undefined)
      return explain(document, dialect, error, remedy);
    // The places of both keys follow.
    const advice =
      duplicates === undefined ? removesDuplicates : `to accept it, set duplicateKeys to ${duplicates}`;
    const message = `${error.message} (${advice})`;
    return new DocumentFault(message, error.at, error.rule, error.limit);
  };
  return refusing(
    document,
    () => {
      try {
        const value = work();
        if (!(value instanceof Promise)) return value;
        return value.catch((error: unknown) => {
          throw explained(error);
        }) as T;
      } catch (error) {
        throw explained(error);
      }
    },
    field,
  );
}

/** Adds to a fault its place in a document with comments, and the dialect that would accept the document. */
function explain(
  document: string | Uint8Array,
  dialect: JsonDialect,
  fault: DocumentFault,
  remedy: string,
): DocumentFault {
  const { message, at, rule, limit } = fault;
  const { pointer, index } = at;
  if (dialect !== "json") {
    if (pointer === undefined || at.offset !== undefined || index !== undefined) return fault;
    const text = typeof document === "string" ? document : Buffer.from(document).toString();
    const offset = Buffer.byteLength(text.slice(0, findPointer(text, dialect, pointer)));
    return new DocumentFault(message, { ...at, offset }, rule, limit);
  }
  if (at.offset === undefined) return fault;
  const advice = adviseDialect(document, rule, remedy);
  return advice === "" ? fault : new DocumentFault(`${message}${advice}`, at, rule, limit);
}

/** Returns a sentence, after a space, on the dialect that accepts a document that is not JSON; empty if there is none. */
export function adviseDialect(
  document: string | Uint8Array,
  rule: string,
  remedy = "set dialect to",
): string {
  if (rule !== "syntax") return "";
  const accepting = findDialect(document);
  return accepting === undefined ? "" : ` To accept it, ${remedy} ${accepting}.`;
}

function findDialect(document: string | Uint8Array): JsonDialect | undefined {
  const bytes = typeof document === "string" ? Buffer.from(document) : document;
  if (bytes.length > maxDialect) return undefined;
  return (["jsonc", "json5"] as const).find(
    (dialect) => validateJson(bytes, { dialect, duplicateKeys: "allow" }).length === 0,
  );
}

/** Characters read at most to find the places of findings: in a dialect other than json each is looked up by itself. */
const maxRead = 67_108_864;

/** Findings at pointers in a valid document of a dialect. */
export function findingsIn(
  document: string,
  dialect: JsonDialect,
  faults: readonly (FoundFault & { pointer: string })[],
): Finding[] {
  if (dialect === "json") return toFindings(document, faults);
  const max = Math.floor(maxRead / (document.length + 1));
  return toFindings(
    document,
    faults.map((fault, at) =>
      at >= max
        ? { ...fault, offset: 0 }
        : {
            ...fault,
            offset: Buffer.byteLength(document.slice(0, findPointer(document, dialect, fault.pointer))),
          },
    ),
  );
}
