import type { CatalogTool } from "../../catalog/catalog.ts";
import type { ErrorPlace, ToolError } from "../../catalog/errors.ts";
import type { Answer } from "../../catalog/execute.ts";
import { cutPointer, redact } from "../http/problem.ts";
import { toFieldLines } from "./field-lines.ts";

/** The result of `tools/call`: one block of text. */
export interface CallResult {
  content: [{ type: "text"; text: string; _meta: typeof data }];
  /** A report as an object, for clients that show its findings. */
  structuredContent?: object;
  isError?: true;
}

/** Marks a text as data of the caller, in which a model must not look for instructions. */
const data = { "penknife/untrusted": true } as const;

const toText = (text: string): CallResult => ({ content: [{ type: "text", text, _meta: data }] });

/** Most bytes of a result over HTTP; clients write larger ones to a file, or cut them without saying so. */
const maxBytes = 25_600;
/** Bytes that are shown of the beginning and the end of a larger result. */
const headBytes = 8192;
const tailBytes = 2048;

/**
 * Converts the answer of a run.
 * @param whole Says how to get the whole of a large result; undefined if there is no other way.
 */
export function toCallResult({ body, report }: Answer, whole: (() => string) | undefined): CallResult {
  const size = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  if (whole !== undefined && size > maxBytes) return toText(shorten(body, size, whole()));
  const text = typeof body === "string" ? body : decode(body);
  return { ...toText(text), ...(report !== undefined && { structuredContent: report }) };
}

/** A text of ours or of the catalogue, such as found tools. */
export const toPlainResult = (text: string): CallResult => toText(text);

function shorten(body: string | Uint8Array, size: number, whole: string): string {
  // A character has one to four bytes, so these are enough of a string.
  const head = typeof body === "string" ? Buffer.from(body.slice(0, headBytes)) : body;
  const tail = typeof body === "string" ? Buffer.from(body.slice(-tailBytes)) : body;
  return [
    `The result has ${size} bytes, too many for one answer. Its beginning and its end follow. ${whole}`,
    `--- the first ${headBytes} bytes`,
    decode(head.subarray(0, headBytes)),
    `--- the last ${tailBytes} bytes`,
    decode(tail.subarray(-tailBytes)),
  ].join("\n");
}

/** Decodes UTF-8 that may be cut within a character. */
const decode = (bytes: Uint8Array): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).replace(/^\uFFFD+|\uFFFD+$/g, "");

/** Most places of an error that are shown. */
const maxPlaces = 5;

/** Converts a refusal to a result that tells a model what to change: sentence, places and, for a fault of the call, fields. */
export function toErrorResult(error: ToolError, now: number, tool?: CatalogTool): CallResult {
  const { code, message, details } = error;
  const lines = [`${code}: ${message}`];
  const { errors = [], retryAfter } = details;
  lines.push(...errors.slice(0, maxPlaces).flatMap((place) => toPlaceLine(cutPointer(place), message)));
  if (errors.length > maxPlaces) lines.push(`- and ${errors.length - maxPlaces} more`);
  if (retryAfter !== undefined)
    lines.push(`Do not repeat the call before ${new Date(now + retryAfter * 1000).toISOString()}.`);
  if (tool !== undefined && withFields.has(code))
    lines.push(`The input of ${tool.slug}:`, ...toFieldLines(tool));
  return { ...toText(redact(lines.join("\n"))), isError: true };
}

const withFields: ReadonlySet<string> = new Set([
  "bad_json",
  "invalid_input",
  "unknown_field",
  "invalid_document",
  "unsupported_media_type",
]);

function toPlaceLine({ line, column, offset, pointer, field, message }: ErrorPlace, said: string): string[] {
  const parts = [
    ...(field === undefined ? [] : [`field ${field}`]),
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(column === undefined ? [] : [`column ${column}`]),
    ...(offset === undefined ? [] : [`offset ${offset}`]),
    ...(pointer === undefined || pointer === "" ? [] : [`pointer ${pointer}`]),
  ];
  if (parts.length === 0) return [];
  const place = `- at ${parts.join(", ")}`;
  // The sentence may begin with the field: "indent must be" for "Must be".
  return [said.includes(message.slice(1)) ? place : `${place}: ${message}`];
}
