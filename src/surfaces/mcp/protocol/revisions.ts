import { trimOws } from "../../../lib/header-list.ts";
import { isObject } from "../../../lib/is-object.ts";
import type { Params, Request } from "./message.ts";
import { codes, ProtocolError } from "./protocol-error.ts";

/**
 * The revisions of MCP by how a connection begins. A client of a stateless revision names it in each request. An older
 * client begins with `initialize`, which needs no state either: any node serves any request.
 */
export const stateless: readonly string[] = ["2026-07-28"];
export const initialized: readonly string[] = ["2025-11-25", "2025-06-18"];

/** The members of `_meta` that the protocol defines. */
export const metaKeys = {
  version: "io.modelcontextprotocol/protocolVersion",
  client: "io.modelcontextprotocol/clientInfo",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
  server: "io.modelcontextprotocol/serverInfo",
} as const;

/** The headers by which proxies route a request (revision 2026-07-28). Undefined members were not sent. */
export interface StandardHeaders {
  version: string | undefined;
  method: string | undefined;
  name: string | undefined;
}

/**
 * Reports whether a request is of a stateless revision. Its headers must then say what its body says, because a proxy
 * decides by them.
 * @param headers Undefined for a transport without headers.
 * @throws ProtocolError
 */
export function isStateless({ method, params }: Request, headers: StandardHeaders | undefined): boolean {
  const meta = isObject(params["_meta"]) ? params["_meta"] : undefined;
  const claimed = meta?.[metaKeys.version];
  const version = headers?.version;
  if (meta === undefined || claimed === undefined) {
    if (version !== undefined && version >= (stateless[0] as string)) {
      if (method === "initialize")
        throw mismatch("MCP-Protocol-Version", version, "initialize begins an older revision");
      throw missing(meta ?? {}, meta === undefined ? ["_meta"] : []);
    }
    if (version !== undefined && method !== "initialize" && !initialized.includes(version))
      throw unsupported(version, [...stateless, ...initialized]);
    return false;
  }
  if (typeof claimed !== "string")
    throw new ProtocolError(codes.invalidParams, `_meta["${metaKeys.version}"] must be a string.`);
  if (initialized.includes(claimed)) return false;
  requireCapabilities(meta);
  if (headers !== undefined) {
    const named = `the body names ${JSON.stringify(claimed.slice(0, 64))}`;
    if (version !== claimed) throw mismatch("MCP-Protocol-Version", version, named);
  }
  if (!stateless.includes(claimed)) throw unsupported(claimed, stateless);
  if (headers !== undefined) requireSame(headers, method, params);
  return true;
}

function requireCapabilities(meta: Params): void {
  const { [metaKeys.capabilities]: capabilities, [metaKeys.client]: client } = meta;
  if (capabilities === undefined) throw missing(meta, []);
  if (!isObject(capabilities))
    throw new ProtocolError(codes.invalidParams, `_meta["${metaKeys.capabilities}"] must be an object.`);
  if (client !== undefined && !isObject(client))
    throw new ProtocolError(codes.invalidParams, `_meta["${metaKeys.client}"] must be an object.`);
}

function missing(meta: Params, names: readonly string[]): ProtocolError {
  const keys = [metaKeys.version, metaKeys.capabilities].filter((key) => meta[key] === undefined);
  const all = names.length > 0 ? names : keys;
  return new ProtocolError(
    codes.invalidParams,
    `A request of revision ${stateless[0]} names its version and the capabilities of the client in params._meta; missing: ${all.join(", ")}.`,
    { data: { missing: all } },
  );
}

function unsupported(requested: string, supported: readonly string[]): ProtocolError {
  return new ProtocolError(codes.unsupportedVersion, "Unsupported protocol version.", {
    data: { supported, requested: requested.slice(0, 64) },
  });
}

function mismatch(header: string, value: string | undefined, body: string): ProtocolError {
  const sent = value === undefined ? "is missing" : `is ${JSON.stringify(value.slice(0, 64))}`;
  return new ProtocolError(codes.headerMismatch, `The header ${header} ${sent}, but ${body}.`);
}

/** The member of `params` that the header `Mcp-Name` repeats. */
const names: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

function requireSame(headers: StandardHeaders, method: string, params: Params): void {
  if (headers.method !== method)
    throw mismatch("Mcp-Method", headers.method, `the body calls ${JSON.stringify(method.slice(0, 64))}`);
  const member = Object.hasOwn(names, method) ? names[method] : undefined;
  const name = member === undefined ? undefined : params[member];
  if (typeof name !== "string") return;
  if (headers.name === undefined || decodeHeader(headers.name) !== name)
    throw mismatch("Mcp-Name", headers.name, `the body names ${JSON.stringify(name.slice(0, 64))}`);
}

const encoded = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

/** Decodes a header whose text may be no ASCII: `=?base64?…?=`. Undefined if what is encoded is not UTF-8. */
function decodeHeader(value: string): string | undefined {
  const text = trimOws(value);
  const [, base64] = encoded.exec(text) ?? [];
  if (base64 === undefined) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, "base64"));
  } catch {
    return undefined;
  }
}
