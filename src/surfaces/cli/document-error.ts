import {
  describeError,
  type ErrorPlace,
  errorCodes,
  messageOf,
  type ToolError,
} from "../../catalog/errors.ts";
import { renderCodeFrame } from "./code-frame.ts";
import type { Host } from "./host.ts";
import type { NamedDocument } from "./read-document.ts";
import { createStyle } from "./style.ts";
import { visible, visibleLines } from "./visible.ts";

const maxPlaces = 10;

/**
 * Reports on standard error why a document was refused, and shows the place. Returns the exit status.
 * @param document The document of `data`, without its bytes if they are no longer known.
 * @param others Documents that came from options, by field.
 */
export async function reportDocumentError(
  error: ToolError,
  document: Pick<NamedDocument, "name"> & Partial<NamedDocument>,
  host: Host,
  others: ReadonlyMap<string, NamedDocument> = new Map(),
): Promise<number> {
  const style = createStyle(host.stderr, host.env);
  const prefix = style.red("penknife:");
  const places = error.code === "invalid_document" ? (error.details.errors ?? []).filter(hasPlace) : [];
  const lines = places.slice(0, maxPlaces).flatMap((place) => {
    const { field, line, column } = place;
    const { name, bytes } = (field === undefined ? document : others.get(field)) ?? {};
    // The caller does not know the text of a default.
    if (name === undefined) return [];
    const frame = bytes === undefined ? "" : renderCodeFrame(bytes, line, column, style);
    return `${prefix} ${visible(name)}:${line}:${column}: ${visibleLines(messageOf(place))}\n${frame}`;
  });
  if (lines.length === 0) lines.push(`${prefix} ${visibleLines(describeError(error))}\n`);
  if (places.length > maxPlaces) lines.push(`${prefix} and ${places.length - maxPlaces} more\n`);
  await host.stderr.write(lines.join(""));
  return errorCodes[error.code].exit;
}

const hasPlace = (place: ErrorPlace): place is ErrorPlace & { line: number; column: number } =>
  place.line !== undefined && place.column !== undefined;
