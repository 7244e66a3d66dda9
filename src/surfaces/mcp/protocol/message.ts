import { parseEnvelope } from "../../../catalog/envelope.ts";
import { ToolError, toShownPlace } from "../../../catalog/errors.ts";
import { textOfMember } from "../../../catalog/member-text.ts";
import { isObject } from "../../../lib/is-object.ts";
import { codes, ProtocolError } from "./protocol-error.ts";

/** One JSON-RPC message of a client. */
export type Message = Request | { kind: "notification" | "response"; method: string; params: Params };

export type Params = Readonly<Record<string, unknown>>;

export interface Request {
  kind: "request";
  /** The id as JSON, with the digits that the client sent. */
  id: string;
  method: string;
  params: Params;
  /** The whole message. What must keep its digits is cut from it. */
  bytes: Uint8Array;
}

/** The id of an answer to a message without a valid id. */
export const noId = "null";

/** Most characters of an id, which every answer repeats. */
const maxId = 256;

/**
 * Parses a message.
 * @throws InvalidMessage
 */
export function parseMessage(bytes: Uint8Array): Message {
  const value = parse(bytes);
  if (Array.isArray(value))
    throw new InvalidMessage(codes.invalidRequest, "Batches are not supported. Send one message at a time.");
  if (!isObject(value))
    throw new InvalidMessage(codes.invalidRequest, "The message must be a JSON-RPC object.");
  const id = value["id"] === undefined ? undefined : toId(value["id"], bytes);
  const fail = (message: string): never => {
    throw new InvalidMessage(codes.invalidRequest, message, undefined, id);
  };
  const { jsonrpc, method, params = {} } = value;
  if (jsonrpc !== "2.0") fail('The member jsonrpc must be "2.0".');
  if (method === undefined && (value["result"] !== undefined || value["error"] !== undefined))
    return { kind: "response", method: "", params: value };
  if (typeof method !== "string") return fail("The member method must be a string.");
  if (!isObject(params)) return fail("The member params must be an object.");
  return id === undefined
    ? { kind: "notification", method, params }
    : { kind: "request", id, method, params, bytes };
}

/** A message that cannot be answered by a method; `id` is the id of the answer. */
export class InvalidMessage extends ProtocolError {
  readonly id: string;

  constructor(code: number, message: string, data?: object, id: string = noId) {
    super(code, message, data && { data });
    this.name = "InvalidMessage";
    this.id = id;
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseEnvelope(bytes);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const code = error.code === "bad_json" ? codes.parseError : codes.invalidRequest;
    const { errors } = error.details;
    throw new InvalidMessage(code, error.message, errors && { errors: errors.map(toShownPlace) });
  }
}

/** @throws InvalidMessage for an id that no answer can repeat. */
function toId(id: unknown, bytes: Uint8Array): string {
  if (typeof id === "string" ? id.length > maxId : typeof id !== "number")
    throw new InvalidMessage(
      codes.invalidRequest,
      `The member id must be a number or a string of at most ${maxId} characters.`,
    );
  if (typeof id === "string" || Number.isSafeInteger(id)) return JSON.stringify(id);
  const text = textOfMember(bytes, "id");
  if (text.length <= maxId) return text;
  throw new InvalidMessage(codes.invalidRequest, `The member id must have at most ${maxId} digits.`);
}
