import { type ErrorPlace, errorCodes, type ToolError } from "../../catalog/errors.ts";
import { renderCodeFrame } from "./code-frame.ts";
import type { Host } from "./host.ts";
import type { NamedDocument } from "./read-document.ts";
import { createStyle } from "./style.ts";
import { visible, visibleLines } from "./visible.ts";

const mostPlaces = 10;

/**
 * Says on stderr why a document was refused and shows where. Returns the exit status.
 * @param document That of `data`.
 * @param others By field, what came in options.
 */
export async function reportDocumentError(
  error: ToolError,
  document: NamedDocument,
  host: Host,
  others: ReadonlyMap<string, NamedDocument> = new Map(),
): Promise<number> {
  const style = createStyle(host.stderr, host.env);
  const prefix = style.red("penknife:");
  const places = error.code === "invalid_document" ? (error.details.errors ?? []).filter(hasPlace) : [];
  const lines = places.slice(0, mostPlaces).flatMap(({ message, field, line, column }) => {
    const { name, bytes } = (field === undefined ? document : others.get(field)) ?? {};
    // A default has a text that the caller does not know.
    if (name === undefined || bytes === undefined) return [];
    const frame = renderCodeFrame(bytes, line, column, style);
    return `${prefix} ${visible(name)}:${line}:${column}: ${visibleLines(message)}\n${frame}`;
  });
  if (lines.length === 0) lines.push(`${prefix} ${visibleLines(error.message)}\n`);
  if (places.length > mostPlaces) lines.push(`${prefix} and ${places.length - mostPlaces} more\n`);
  await host.stderr.write(lines.join(""));
  return errorCodes[error.code].exit;
}

const hasPlace = (place: ErrorPlace): place is ErrorPlace & { line: number; column: number } =>
  place.line !== undefined && place.column !== undefined;
