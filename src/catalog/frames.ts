import { type ErrorCode, errorCodes, type ErrorDetails } from "./errors.ts";
import type { Answer, Body, Call } from "./execute.ts";
import type { Report } from "./report.ts";
import type { RemoteMessage, RemoteRequest } from "./remote.ts";

/**
 * A message between a worker process and its parent: the lengths of header and body, the header as JSON, and the body as
 * raw bytes, so that only the pipe copies it.
 */
export interface Frame {
  header: unknown;
  body: Uint8Array;
}

/** Bytes before the header: the lengths of header and body, 32 bits each, little-endian. */
export const prefixBytes = 8;

export function readPrefix(prefix: Uint8Array): { header: number; body: number } {
  const view = new DataView(prefix.buffer, prefix.byteOffset, prefixBytes);
  return { header: view.getUint32(0, true), body: view.getUint32(4, true) };
}

/** Longest body, in bytes, that is copied: less than a second write costs, which would also wake the reader twice. */
const maxCopied = 32_768;

/** Returns the bytes of a frame: the prefix and the header with a small body, before a large one, which is not copied. */
export function toParts({ header, body }: Frame): Uint8Array[] {
  const text = JSON.stringify(header);
  const headerBytes = Buffer.byteLength(text);
  const isOne = body.length <= maxCopied;
  const head = Buffer.allocUnsafe(prefixBytes + headerBytes + (isOne ? body.length : 0));
  head.writeUInt32LE(headerBytes, 0);
  head.writeUInt32LE(body.length, 4);
  head.write(text, prefixBytes);
  if (!isOne) return [head, body];
  head.set(body, prefixBytes + headerBytes);
  return [head];
}

export const parseHeader = (bytes: Uint8Array): unknown =>
  JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());

const empty = new Uint8Array();

export function fromRequest(request: RemoteRequest): Frame {
  if (request.kind === "tidy") return { header: request, body: empty };
  const { body, ...call } = request.call;
  if (body.kind !== "input") {
    const { bytes, ...rest } = body;
    return { header: { kind: "call", call: { ...call, body: rest } }, body: bytes };
  }
  const { data, ...input } = body.input;
  // The document is sent as bytes. A lone surrogate has no UTF-8 form, so such a text is sent as JSON with the other fields.
  const whole = typeof data === "string" && data.isWellFormed();
  return {
    header: {
      kind: "call",
      call: { ...call, body: { kind: "input", input: whole ? input : body.input, data: whole } },
    },
    body: whole ? Buffer.from(data) : empty,
  };
}

type Heading = { kind: "tidy" } | { kind: "call"; call: Omit<Call, "body"> & { body: BodyHeading } };
type BodyHeading =
  | { kind: "input"; input: Record<string, unknown>; data: boolean }
  | DistributiveOmit<Exclude<Body, { kind: "input" }>, "bytes">;
type DistributiveOmit<Type, Key extends PropertyKey> = Type extends unknown ? Omit<Type, Key> : never;

/** Trusts its input, which comes from the server. */
export function toRequest({ header, body: bytes }: Frame): RemoteRequest {
  const heading = header as Heading;
  if (heading.kind === "tidy") return heading;
  const { body, ...call } = heading.call;
  if (body.kind !== "input") return { kind: "call", call: { ...call, body: { ...body, bytes } as Body } };
  const { kind, input, data } = body;
  return {
    kind: "call",
    call: {
      ...call,
      body: { kind, input: data ? { data: Buffer.from(bytes).toString(), ...input } : input },
    },
  };
}

export function fromMessage(message: RemoteMessage): Frame {
  if (message.kind !== "answer") return { header: message, body: empty };
  const { body, ...rest } = message.answer;
  return typeof body === "string"
    ? { header: { kind: "answer", answer: { ...rest, text: body } }, body: empty }
    : { header: { kind: "answer", answer: rest }, body };
}

/**
 * Parses a message of a worker process, which may be under an attacker's control.
 * @throws Error if it is not a message.
 */
export function toMessage({ header, body }: Frame): RemoteMessage {
  const { kind, answer, code, message, details, stack } = header as Record<string, unknown>;
  if (kind === "ready") return { kind };
  if (kind === "answer" && isRecord(answer)) {
    const { valid, report, text } = answer;
    const read: Answer = { body: typeof text === "string" ? text : body };
    if (typeof valid === "boolean") read.valid = valid;
    if (isRecord(report)) read.report = report as unknown as Report;
    return { kind, answer: read };
  }
  if (typeof message === "string") {
    if (kind === "bug" || kind === "end") return { kind, message, stack: String(stack) };
    if (kind === "refusal" && isCode(code) && isRecord(details))
      return { kind, code, message, details: details as ErrorDetails };
  }
  throw new Error("A worker process sent a malformed message");
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const isCode = (code: unknown): code is ErrorCode =>
  typeof code === "string" && Object.hasOwn(errorCodes, code);
