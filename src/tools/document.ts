import { ToolError } from "../catalog/errors.ts";
import { type Report, toReport } from "../catalog/report.ts";
import { fromJson } from "../lib/data/from-json.ts";
import type { Value } from "../lib/data/value.ts";
import { findPointers } from "../lib/json/find-pointers.ts";
import { locateAll, type Position } from "../lib/json/position.ts";
import { findTomlPlaces } from "../lib/toml/find-places.ts";
import { fromToml } from "../lib/toml/from-toml.ts";
import { findYamlPlaces } from "../lib/yaml/find-places.ts";
import { fromYaml } from "../lib/yaml/from-yaml.ts";
import { loadYaml } from "../lib/yaml/parse.ts";
import { refusing } from "./refusing.ts";

/** A parsed document, and the places of its values. */
export interface ReadDocument {
  value: Value;
  /** Adds line, column and byte offset to findings with a pointer (RFC 6901) into the document. */
  locate<T extends { pointer: string }>(found: readonly T[]): (T & Position & { offset: number })[];
}

/** Parses the document of a validator. A syntax error is returned as a report with one finding, not thrown. */
export async function readDocument(
  text: string,
  format: "json" | "yaml" | "toml",
): Promise<ReadDocument | Report> {
  try {
    return await read(text, format);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "invalid_document") throw error;
    const [place] = error.details.errors ?? [];
    const { line = 1, column = 1, offset = 0, pointer = "" } = place ?? {};
    const message = place?.message ?? error.message;
    return toReport([{ message, severity: "error", rule: "syntax", line, column, offset, pointer }]);
  }
}

async function read(text: string, format: "json" | "yaml" | "toml"): Promise<ReadDocument> {
  if (format === "json") {
    const bytes = Buffer.from(text);
    const value = refusing(text, () => fromJson(text));
    return {
      value,
      locate: (found) =>
        found.length === 0 ? [] : locateBytes(bytes, found, findPointers(bytes, pointersOf(found))),
    };
  }
  if (format === "toml") {
    const value = refusing(text, () => fromToml(text, { version: "1.1" }));
    return { value, locate: (found) => locateUnits(text, found, findTomlPlaces(text, pointersOf(found))) };
  }
  const yaml = await loadYaml();
  const values = refusing(text, () =>
    fromYaml(yaml, text, { schema: "core", merge: true, keys: "stringify" }),
  );
  if (values.length > 1)
    throw new ToolError("invalid_document", `Expected one document, not ${values.length} separated by ---.`);
  return {
    value: values[0] ?? null,
    locate: (found) => locateUnits(text, found, findYamlPlaces(yaml, text, pointersOf(found))),
  };
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
