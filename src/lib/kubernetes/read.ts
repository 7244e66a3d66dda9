import { fromJson } from "../data/from-json.ts";
import type { Value } from "../data/value.ts";
import { DocumentFault } from "../fault.ts";
import { findPointers } from "../json/find-pointers.ts";
import { findPlacesOf } from "../yaml/find-places.ts";
import { toValue, type YamlOptions } from "../yaml/from-yaml.ts";
import { loadYaml, parseYaml } from "../yaml/parse.ts";
import type { ManifestFinding } from "./at.ts";
import { findHiddenMark, findMark } from "./template.ts";

/** A finding with its place: an index in UTF-16 code units for YAML, an offset in bytes for JSON. */
export type PlacedFinding = Omit<ManifestFinding, "key"> & { index?: number; offset?: number };

export interface Manifest {
  value: Value;
  /** Adds the places of findings, whose pointers are into this document. */
  locate(found: readonly ManifestFinding[]): PlacedFinding[];
}

/** The documents of a stream, and faults that need no knowledge of Kubernetes. */
export interface Manifests {
  documents: Manifest[];
  faults: PlacedFinding[];
}

/** Most duplicate keys reported. */
const maxDuplicates = 100;

/** Reads a YAML stream, by default with the types that Kubernetes gives its scalars, or one JSON document. */
export async function readManifests(text: string, reading: Reading = { schema: "go" }): Promise<Manifests> {
  return isJson(text) ? readJson(text) : await readYaml(text, reading);
}

export type Reading = Pick<YamlOptions, "schema" | "tags">;

/** Reports whether a text begins as JSON does. JSON is YAML too, but its parser has better messages. */
export const isJson = (text: string): boolean => /^\s*(?:\[|\{\s*(?:"|\}|$))/.test(text);

function readJson(text: string): Manifests {
  try {
    const value = fromJson(text);
    return { faults: [], documents: [{ value, locate: (found) => locateJson(text, found) }] };
  } catch (error) {
    return { documents: [], faults: [toFinding(error, findMark(text))] };
  }
}

function locateJson(text: string, found: readonly ManifestFinding[]): PlacedFinding[] {
  if (found.length === 0) return [];
  const offsets = findPointers(
    Buffer.from(text),
    found.map(({ pointer }) => pointer),
  );
  return found.map((one, at) => ({ ...one, offset: offsets[at] ?? 0 }));
}

async function readYaml(text: string, reading: Reading): Promise<Manifests> {
  const yaml = await loadYaml();
  const faults: PlacedFinding[] = [];
  try {
    const parsed = parseYaml(yaml, text);
    if (parsed.faults[0] !== undefined) throw parsed.faults[0];
    const mark = findHiddenMark(yaml, text, parsed.documents);
    if (mark !== undefined) return { documents: [], faults: [toTemplate(mark)] };
    const options = { ...reading, merge: true, keys: "stringify" } as const;
    const documents = parsed.documents.map((document): Manifest => {
      const value = toValue(yaml, document, text, options, (fault) => {
        if (faults.length < maxDuplicates) faults.push(toFinding(fault));
      });
      return {
        value,
        locate(found) {
          const keys = new Set(found.filter(({ key }) => key === true).map(({ pointer }) => pointer));
          const indexes = findPlacesOf(
            yaml,
            document.contents,
            found.map(({ pointer }) => pointer),
            keys,
          );
          return found.map((one, at) => ({ ...one, index: indexes[at] ?? 0 }));
        },
      };
    });
    return { documents, faults };
  } catch (error) {
    return { documents: [], faults: [...faults, toFinding(error, findMark(text))] };
  }
}

function toFinding(error: unknown, mark?: ReturnType<typeof findMark>): PlacedFinding {
  if (!(error instanceof DocumentFault)) throw error;
  if (mark !== undefined) return toTemplate(mark);
  const { message, rule, at } = error;
  return {
    message,
    rule,
    severity: "error",
    pointer: at.pointer ?? "",
    ...(at.index !== undefined && { index: at.index }),
    ...(at.offset !== undefined && { offset: at.offset }),
  };
}

const toTemplate = ({ index, message }: { index: number; message: string }): PlacedFinding => ({
  message,
  rule: "template",
  severity: "error",
  pointer: "",
  index,
});
