import { append } from "../lib/append.ts";
import { isUtf8 } from "node:buffer";
import type { InputBody, PageCall, PlainAnswer, RawBody } from "./call.ts";
import type { CatalogTool } from "./catalog.ts";
import { toChangeReport, toFixed } from "./change.ts";
import { parseEnvelope } from "./envelope.ts";
import { ToolError } from "./errors.ts";
import { fromStrings, invalidField, parseInput } from "./input.ts";
import { pointingIntoBody, takeJsonValues } from "./json-values.ts";
import type { Step } from "./pipeline.ts";
import { type Report, toReportText, toReport } from "./report.ts";
import { toText } from "./text.ts";
import { maxText, maxBytesOf, type Tool, type ToolContext, type ToolResult } from "./tool.ts";

/** The input of a call, as far as the surface has parsed it. Structured-cloneable, so it can be sent to a worker. */
export type Body =
  | InputBody
  /** The JSON envelope, `{"data": …}`. */
  | { kind: "json"; bytes: Uint8Array }
  /** The options are pairs of text, or parsed values. */
  | RawBody<[string, string][] | Step["with"]>
  /** The envelope of a named pipeline (`{"data": …}`) or of given steps (`{"data": …, "steps": […]}`); parsed, not run. */
  | { kind: "pipeline"; bytes: Uint8Array; named: boolean };

/**
 * The form of the answer: the JSON envelope, the result as text, the result as any bytes, the result as text together
 * with its report, or, for check mode, the report together with the document as a formatter would leave it.
 */
export type AnswerForm = "json" | "text" | "bytes" | "report" | "fix";

export interface Call extends Omit<PageCall, "body" | "form"> {
  body: Body;
  form: AnswerForm;
}

/** A call with its tool. */
export interface ToolCall extends Omit<Call, "slug"> {
  tool: CatalogTool;
}

export interface Answer extends PlainAnswer {
  /** The report. Set in the forms "report" and "fix" if the result is a report. */
  report?: Report;
  /** The parsed envelope of a pipeline: its steps, and whether it has data, which is then the body. */
  envelope?: { given: boolean; steps: readonly Step[] };
}

/** Runs a tool on the current thread. This is the part of `run` in run.ts that needs no services. */
export const execute = async (tool: Tool, call: Omit<Call, "slug">, context: ToolContext): Promise<Answer> =>
  executeAtOnce(tool, call, context);

/** Does what `execute` does, but returns and throws at once if the tool does: for small calls, of which promises are a good part. */
export function executeAtOnce(
  tool: Tool,
  call: Omit<Call, "slug">,
  context: ToolContext,
): Answer | Promise<Answer> {
  if (call.check && tool.check === undefined) {
    throw invalidField(
      "check",
      `${tool.slug} has no check mode, because it neither validates nor formats a document.`,
    );
  }
  if (call.check && tool.check === "strict") {
    return acceptStrictly(tool, call.body, context).then((report) => toReportAnswer(report, call.form));
  }
  const { report, fix } = tool;
  if (call.form === "fix" && fix !== undefined) return fixReported(tool, fix, call.body, context);
  const work = call.check && report !== undefined ? { ...tool, run: report } : tool;
  const { result, data } = runOn(work, call.body, context);
  return result instanceof Promise
    ? result.then((later) => toAnswer(tool, call, later, data))
    : toAnswer(tool, call, result, data);
}

function toAnswer(tool: Tool, call: Omit<Call, "slug">, result: ToolResult, data: unknown): Answer {
  if (call.check) return toCheckAnswer(tool, result, data, call.form);
  return isReport(result) ? toReportAnswer(result, call.form) : { body: toBody(result, call.form) };
}

/** Reports what is wrong with a document, and returns it without what the tool can fix. */
async function fixReported(
  tool: Tool,
  fix: NonNullable<Tool["fix"]>,
  body: Body,
  context: ToolContext,
): Promise<Answer> {
  const { result, data } = runOn(tool, body, context);
  const report = await result;
  if (!isReport(report)) throw new Error("A tool that fixes what it reports returns a report");
  if (report.valid || (data instanceof Uint8Array && !isUtf8(data))) return toReportAnswer(report, "fix");
  const { runBytes: _, ...byText } = tool;
  const asText = body.kind === "raw" ? { ...body, text: true } : body;
  const before = toBytes(data as string | Uint8Array);
  const after = toBytes((await runOn({ ...byText, run: fix }, asText, context).result) as string);
  return toReportAnswer(report, "fix", Buffer.compare(before, after) === 0 ? undefined : after);
}

/** Runs a tool with its option `strict`, and reports a refusal of the document as a finding. */
async function acceptStrictly(tool: Tool, body: Body, context: ToolContext): Promise<Report> {
  const { runBytes } = tool;
  const strict: Tool = {
    ...tool,
    run: (input, given) => tool.run({ ...input, strict: true }, given),
    ...(runBytes && {
      runBytes: (data, options, given) => runBytes(data, { ...options, strict: true }, given),
    }),
  };
  try {
    await runOn(strict, body, context).result;
    return toReport([]);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "invalid_document") throw error;
    const { line = 1, column = 1, offset = 0, pointer = "" } = error.details.errors?.[0] ?? {};
    return toReport([
      { message: error.message, severity: "error", rule: tool.slug, line, column, offset, pointer },
    ]);
  }
}

function runOn(
  tool: Tool,
  body: Body,
  context: ToolContext,
): { result: ToolResult | Promise<ToolResult>; data: unknown } {
  if (body.kind !== "input") refuseTooLarge(tool, body);
  if (body.kind === "pipeline") throw new Error("The envelope of a pipeline is not a call of a tool");
  if (body.kind !== "raw") {
    const raw = body.kind === "json" ? parseEnvelope(body.bytes) : body.input;
    const values = body.kind === "json" ? takeJsonValues(tool, raw, body.bytes) : undefined;
    const input = parseInput(tool, values?.input ?? raw);
    const result =
      values === undefined
        ? tool.run(input, context)
        : pointingIntoBody(values, () => tool.run(input, context));
    return { result, data: input.data };
  }
  if (!("data" in tool.input.shape)) {
    if (body.bytes.length > 0)
      throw invalidField("data", `${tool.slug} takes no document; send an empty body.`);
    return { result: tool.run(parseInput(tool, optionsOf(tool, body)), context), data: "" };
  }
  const options = optionsOf(tool, body);
  if ("data" in options) throw invalidField("data", "The body is the data; leave data out of the query.");
  if (tool.runBytes !== undefined) {
    // The schema validates the options only; the tool validates the bytes.
    const { data: _, ...rest } = parseInput(tool, { ...options, data: "" });
    if (body.text && !isUtf8(body.bytes)) toText(body.bytes, "invalid_document", "The document");
    return { result: tool.runBytes(body.bytes, rest, context), data: body.bytes };
  }
  if (!body.text) {
    throw new ToolError(
      "unsupported_media_type",
      `${tool.slug} takes text, not bytes; send it as text/plain or as the field data of a JSON body.`,
    );
  }
  const data = toText(body.bytes, "invalid_document", "The document");
  return { result: tool.run(parseInput(tool, { ...options, data }), context), data };
}

/** Refuses a document above the limit of its tool. V8 ends the process when a string becomes longer than it allows. */
function refuseTooLarge(tool: Tool, { kind, bytes }: Exclude<Body, { kind: "input" }>): void {
  const limit = kind === "raw" ? maxBytesOf(tool) : maxText;
  if (bytes.length <= limit) return;
  const message = `The document has ${bytes.length} bytes; ${tool.slug} takes at most ${limit}.`;
  throw new ToolError("body_too_large", message, { limit });
}

const optionsOf = (tool: Tool, { options }: Extract<Body, { kind: "raw" }>): Step["with"] =>
  Array.isArray(options) ? fromStrings(tool, options) : options;

function toCheckAnswer(tool: Tool, result: ToolResult, data: unknown, form: AnswerForm): Answer {
  if (isReport(result)) return toReportAnswer(result, form);
  const before = toBytes(data as string | Uint8Array);
  const after = toFixed(before, toBytes(result), tool.exact);
  const { valid, errors } = toChangeReport(tool.slug, before, after);
  const report = toReport([...(tool.warn?.(before) ?? []), ...errors]);
  return toReportAnswer(report, form, valid ? undefined : after);
}

function toReportAnswer(report: Report, form: AnswerForm, fixed: Uint8Array = new Uint8Array()): Answer {
  const { valid } = report;
  if (form === "fix") return { body: fixed, valid, report };
  return { body: toBody(toReportText(report), form), valid, ...(form === "report" && { report }) };
}

function toBody(result: string | Uint8Array, form: AnswerForm): string | Uint8Array {
  if (form === "json") {
    const text = typeof result === "string" ? result : resultText(result);
    refuseTooLong(text);
    return toJsonAnswer(text);
  }
  if (form !== "bytes" && typeof result !== "string" && !isUtf8(result)) resultText(result);
  return result;
}

/** Most characters of a result as JSON. A string too large for the heap of a thread ends the whole process. */
const maxJsonLength = 64 * 1024 * 1024;

/** JSON escapes some characters as six, so a result within the limit of its tool may be six times as long as JSON. */
function refuseTooLong(text: string): void {
  if (text.length * 6 <= maxJsonLength) return;
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20) length += unit >= 0x08 && unit <= 0x0d && unit !== 0x0b ? 1 : 5;
    else if (unit === 0x22 || unit === 0x5c) length++;
  }
  if (length <= maxJsonLength) return;
  throw new ToolError(
    "invalid_document",
    `The result would be longer than ${maxJsonLength} characters as JSON. Ask for it as text, with Accept: text/plain.`,
  );
}

function resultText(result: Uint8Array): string {
  if (isUtf8(result)) return toText(result, "invalid_document", "The result");
  throw new ToolError(
    "invalid_document",
    'The result is not UTF-8 text. Ask for it with outputEncoding "base64" or "hex", or as bytes with Accept: application/octet-stream.',
  );
}

/**
 * Returns the size of a body in bytes. For parsed fields it is the bytes of their texts, and one byte for each value in a
 * list or an object.
 */
export function sizeOf(body: Body): number {
  if (body.kind === "input") return sizeOfValues(body.input);
  if (body.kind === "raw") return body.bytes.length + sizeOfValues(body.options);
  return body.bytes.length;
}

function sizeOfValues(input: object): number {
  let size = 0;
  // Without recursion: values can be nested deeper than the stack allows.
  const open: unknown[] = Object.values(input);
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") size += Buffer.byteLength(next);
    else if (typeof next === "object" && next !== null) {
      const inside: unknown[] = Array.isArray(next) ? next : Object.values(next);
      append(open, inside);
      size += inside.length;
    }
  }
  return size;
}

const isReport = (result: ToolResult): result is Report =>
  typeof result === "object" && !(result instanceof Uint8Array);

const toBytes = (value: string | Uint8Array): Uint8Array =>
  typeof value === "string" ? Buffer.from(value) : value;

/** Characters written at a time. */
const pieceUnits = 1024 * 1024;

/**
 * Returns `JSON.stringify({ result: text })`; for a long text as UTF-8 bytes, written in pieces, so that the escaped text
 * never exists as a string as well.
 */
export function toJsonAnswer(text: string): string | Uint8Array {
  if (text.length <= pieceUnits) return JSON.stringify({ result: text });
  const pieces = [Buffer.from('{"result":"')];
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + pieceUnits, text.length);
    // A surrogate pair split in two would be escaped as two lone surrogates.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    pieces.push(Buffer.from(JSON.stringify(text.slice(at, end)).slice(1, -1)));
    at = end;
  }
  pieces.push(Buffer.from('"}'));
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let to = 0;
  for (const piece of pieces) {
    bytes.set(piece, to);
    to += piece.length;
    // Freed now: garbage collection would run only after the whole answer existed twice.
    if (piece.length >= pieceUnits) piece.buffer.transfer(0);
  }
  return bytes;
}
