import { isObject } from "../../lib/is-object.ts";

/** One JSON-RPC message of a client. Answers to requests of ours are not waited for. */
export type Message =
  | { kind: "request"; id: number | string; method: string; params: Params }
  | { kind: "notification"; method: string; params: Params }
  | { kind: "response" };

export type Params = Readonly<Record<string, unknown>>;

/** Error codes of JSON-RPC 2.0 and of LSP. */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  notInitialized: -32002,
  requestFailed: -32803,
  contentModified: -32801,
  requestCancelled: -32800,
} as const;

/** A request that is answered with an error. */
export class RequestError extends Error {
  readonly code: number;
  readonly id: number | string | null;

  constructor(code: number, message: string, id: number | string | null = null) {
    super(message);
    this.code = code;
    this.id = id;
  }
}

/** Most characters of an id, which the answer repeats. */
const maxId = 256;

/** @throws RequestError */
export function parseMessage(bytes: Uint8Array): Message {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new RequestError(codes.parseError, "The message is not JSON in UTF-8.");
  }
  if (!isObject(value)) throw new RequestError(codes.invalidRequest, "The message must be an object.");
  const { jsonrpc, method, params } = value;
  const id = value["id"] === undefined ? undefined : toId(value["id"]);
  const fail = (message: string): never => {
    throw new RequestError(codes.invalidRequest, message, id ?? null);
  };
  if (jsonrpc !== "2.0") return fail('The member jsonrpc must be "2.0".');
  if (method === undefined && ("result" in value || "error" in value)) return { kind: "response" };
  if (typeof method !== "string") return fail("The member method must be a string.");
  if (params !== undefined && params !== null && !isObject(params))
    return fail("The member params must be an object.");
  const given = (params ?? {}) as Params;
  return id === undefined
    ? { kind: "notification", method, params: given }
    : { kind: "request", id, method, params: given };
}

function toId(id: unknown): number | string {
  if (typeof id === "string" && id.length <= maxId) return id;
  if (typeof id === "number" && Number.isSafeInteger(id)) return id;
  throw new RequestError(
    codes.invalidRequest,
    `The member id must be an integer or a string of at most ${maxId} characters.`,
  );
}

/** Returns a member of parameters that must be an object. @throws RequestError */
export function objectAt(params: Params, name: string): Params {
  const value = params[name];
  if (isObject(value)) return value;
  throw new RequestError(codes.invalidParams, `${name} must be an object.`);
}

/** @throws RequestError */
export function textAt(params: Params, name: string): string {
  const value = params[name];
  if (typeof value === "string") return value;
  throw new RequestError(codes.invalidParams, `${name} must be a string.`);
}
