import { ToolError } from "../catalog/errors.ts";
import { type Finding, type Report, toReport } from "../catalog/report.ts";
import { fromJson } from "../lib/data/from-json.ts";
import type { Value } from "../lib/data/value.ts";
import { DocumentFault, unlessFault } from "../lib/fault.ts";
import { findPointers } from "../lib/json/find-pointers.ts";
import { locateAll, type Position } from "../lib/json/position.ts";
import type { JsonDialect } from "../lib/json/source.ts";
import { withSubject } from "../lib/must.ts";
import { findTomlPlaces } from "../lib/toml/find-places.ts";
import { fromToml } from "../lib/toml/from-toml.ts";
import { findYamlPlaces } from "../lib/yaml/find-places.ts";
import { fromYaml, type YamlTags } from "../lib/yaml/from-yaml.ts";
import { loadYaml } from "../lib/yaml/parse.ts";
import { checkDialectSize, findingsIn, refusingJson } from "./json-dialect.ts";
import { refusing } from "./refusing.ts";

/** A parsed document, and the places of its values. */
export interface ReadDocument {
  value: Value;
  /** Adds line, column and byte offset to findings with a pointer (RFC 6901) into the document; in YAML the place of a key if `key` is true. */
  locate<T extends { pointer: string; key?: true }>(
    found: readonly T[],
  ): (T & Position & { offset: number })[];
}

export type DocumentFormat = JsonDialect | "yaml" | "toml";

interface Reading {
  field?: string;
  /** The words before the name of the format that accepts a document that is not JSON, such as `set format to`. */
  remedy?: string;
  /** The treatment of tags of YAML; `drop` by default. */
  tags?: YamlTags;
  /** Whether a repeated key of YAML replaces the one before it; otherwise it is refused. */
  lastWins?: boolean;
}

/** Parses the document of a validator. A syntax error is returned as a report with one finding, not thrown. */
export async function readDocument(
  text: string,
  format: DocumentFormat,
  reading: Reading = {},
): Promise<ReadDocument | Report> {
  try {
    return await openDocument(text, format, reading);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "invalid_document") throw error;
    const [place] = error.details.errors ?? [];
    const { line = 1, column = 1, offset = 0, pointer = "" } = place ?? {};
    const message = place?.message ?? error.message;
    return toReport([{ message, severity: "error", rule: "syntax", line, column, offset, pointer }]);
  }
}

/** Parses a document. @throws ToolError */
export async function openDocument(
  text: string,
  format: DocumentFormat,
  { field, remedy, tags, lastWins = false }: Reading = {},
): Promise<ReadDocument> {
  if (format === "toml") {
    const value = refusing(text, () => fromToml(text, { version: "1.1" }), field);
    return { value, locate: (found) => locateUnits(text, found, findTomlPlaces(text, pointersOf(found))) };
  }
  if (format === "yaml") {
    const yaml = await loadYaml();
    const onDuplicate = lastWins ? () => {} : undefined;
    const values = refusing(text, () => fromYaml(yaml, text, { ...yamlOptions, tags }, onDuplicate), field);
    if (values.length > 1) {
      const message = `Expected one document, not ${values.length} separated by ---.`;
      throw new ToolError("invalid_document", field === undefined ? message : withSubject(field, message));
    }
    return {
      value: values[0] ?? null,
      locate(found) {
        const keys = new Set(found.filter(({ key }) => key === true).map(({ pointer }) => pointer));
        return locateUnits(text, found, findYamlPlaces(yaml, text, pointersOf(found), keys));
      },
    };
  }
  if (format !== "json") checkDialectSize(text.length);
  const value = await namingYaml(text, remedy, () =>
    remedy === undefined
      ? refusing(text, () => fromJson(text, format), field)
      : refusingJson(text, format, () => fromJson(text, format), { field, remedy }),
  );
  return { value, locate: (found) => locateJson(text, format, found) };
}

/** Runs work on a document; its faults at a pointer get the place of that pointer. */
export async function locating<T>(document: ReadDocument, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DocumentFault) || error.at.pointer === undefined) throw error;
    const { message, at, rule, limit } = error;
    const [place] = document.locate([{ pointer: error.at.pointer }]);
    throw new DocumentFault(message, { ...at, offset: place?.offset ?? 0 }, rule, limit);
  }
}

/** How documents in YAML are read. */
export const yamlOptions = { schema: "core", merge: true, keys: "stringify" } as const;

/** Characters of the longest text that is tried as YAML after it was refused as JSON. */
const maxTried = 1_048_576;

/** Runs work on JSON; its refusal says, after `remedy`, whether the text is YAML. */
export async function namingYaml<T>(text: string, remedy: string | undefined, work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    if (remedy === undefined || !(error instanceof ToolError) || error.code !== "invalid_document")
      throw error;
    if (text.length > maxTried || !(await isYamlMap(text))) throw error;
    const hint = ` To accept it, ${remedy} yaml.`;
    const errors = error.details.errors?.map((one) => ({ ...one, message: `${one.message}${hint}` }));
    throw new ToolError(error.code, `${error.message}${hint}`, {
      ...error.details,
      ...(errors !== undefined && { errors }),
    });
  }
}

async function isYamlMap(text: string): Promise<boolean> {
  // YAML accepts much JSON that is only mistyped.
  if (/^\s*[[{]/.test(text)) return false;
  const yaml = await loadYaml();
  return unlessFault(() => fromYaml(yaml, text, yamlOptions)[0]) instanceof Map;
}

export function locateJson<T extends { pointer: string }>(
  text: string,
  dialect: JsonDialect,
  found: readonly T[],
): (T & Position & { offset: number })[] {
  if (found.length === 0) return [];
  if (dialect === "json") {
    const bytes = Buffer.from(text);
    return locateBytes(bytes, found, findPointers(bytes, pointersOf(found)));
  }
  const faults = found.map(({ pointer }) => ({ message: "", rule: "", pointer }));
  const places = findingsIn(text, dialect, faults);
  return found.map((one, at) => {
    const { line, column, offset } = places[at] as Finding;
    return { ...one, line, column, offset };
  });
}

const pointersOf = (found: readonly { pointer: string }[]): string[] => found.map(({ pointer }) => pointer);

function locateBytes<T>(
  bytes: Uint8Array,
  found: readonly T[],
  offsets: readonly number[],
): (T & Position & { offset: number })[] {
  const positions = locateAll(bytes, offsets);
  return found.map((one, index) => ({
    ...one,
    ...(positions[index] as Position),
    offset: offsets[index] as number,
  }));
}

/** Converts indexes in UTF-16 code units to byte offsets in one pass, and locates them. */
function locateUnits<T>(
  text: string,
  found: readonly T[],
  indexes: readonly number[],
): (T & Position & { offset: number })[] {
  const offsets = indexes.map(() => 0);
  let at = 0;
  let bytes = 0;
  for (const [where, index] of [...indexes.entries()].toSorted(([, a], [, b]) => a - b)) {
    bytes += Buffer.byteLength(text.slice(at, index));
    at = index;
    offsets[where] = bytes;
  }
  return locateBytes(Buffer.from(text), found, offsets);
}
