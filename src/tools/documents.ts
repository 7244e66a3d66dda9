import { type Report, toReport } from "../catalog/report.ts";
import { fromJson } from "../lib/data/from-json.ts";
import type { Value } from "../lib/data/value.ts";
import { DocumentFault, type FaultPlace } from "../lib/fault.ts";
import { findPointers } from "../lib/json/find-pointers.ts";
import { isBlankLine, linesOf, type NdjsonLine } from "../lib/ndjson/lines.ts";
import { onLine } from "../lib/ndjson/read.ts";
import { findPlacesOf } from "../lib/yaml/find-places.ts";
import { toValue } from "../lib/yaml/from-yaml.ts";
import { loadYaml, parseYaml } from "../lib/yaml/parse.ts";
import { type DocumentFormat, readDocument, yamlOptions } from "./document.ts";
import { toSortedFindings } from "./findings.ts";

export type StreamFormat = DocumentFormat | "ndjson";

/** One document of a text. */
export interface OneOfMany {
  value: Value;
  /** Returns the place in the whole text of each pointer (RFC 6901) into this document. */
  locate(pointers: readonly string[]): FaultPlace[];
}

/** Parses all documents of a text: those of a YAML stream, the lines of NDJSON, or one. A syntax error is returned as a report. */
export async function readDocuments(text: string, format: StreamFormat): Promise<OneOfMany[] | Report> {
  if (format !== "yaml" && format !== "ndjson") {
    const read = await readDocument(text, format, { remedy: "set dataFormat to" });
    if ("errors" in read) return read;
    const locate: OneOfMany["locate"] = (pointers) =>
      read.locate(pointers.map((pointer) => ({ pointer }))).map(({ offset }) => ({ offset }));
    return [{ value: read.value, locate }];
  }
  try {
    return format === "yaml" ? await fromStream(text) : fromLines(text);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    return toReport(toSortedFindings(text, [error]));
  }
}

async function fromStream(text: string): Promise<OneOfMany[]> {
  const yaml = await loadYaml();
  const { documents, faults } = parseYaml(yaml, text);
  if (faults[0] !== undefined) throw faults[0];
  return documents.map((document) => ({
    value: toValue(yaml, document, text, yamlOptions),
    locate: (pointers) => findPlacesOf(yaml, document.contents, pointers).map((index) => ({ index })),
  }));
}

function fromLines(text: string): OneOfMany[] {
  const documents: OneOfMany[] = [];
  for (const line of linesOf(text)) {
    if (isBlankLine(line.text)) continue;
    documents.push({
      value: readLine(line),
      locate(pointers) {
        const bytes = Buffer.from(line.text);
        return findPointers(bytes, pointers).map((offset) => ({
          index: line.from + bytes.subarray(0, offset).toString().length,
        }));
      },
    });
  }
  return documents;
}

function readLine(line: NdjsonLine): Value {
  try {
    return fromJson(line.text);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    throw onLine(error, error.at, line);
  }
}
