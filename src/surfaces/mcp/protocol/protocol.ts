import { noId, type Message, type Request } from "./message.ts";
import { codes, ProtocolError } from "./protocol-error.ts";
import { initialized, isStateless, metaKeys, type StandardHeaders, stateless } from "./revisions.ts";

/** The identity of a server and the methods behind its capabilities. `Caller` describes the caller, as far as the transport knows it. */
export interface Service<Caller> {
  /** Name and version. */
  info: { name: string; title: string; version: string };
  capabilities: Readonly<Record<string, object>>;
  /** A hint to the model on how to use the server. */
  instructions: string;
  methods: Readonly<Record<string, Method<Caller>>>;
  /** The time that clients may keep lists, and whether callers may share them. */
  caching: { ttlMs: number; cacheScope: "public" | "private" };
}

/** Answers one request. @throws ProtocolError */
export type Method<Caller> = (request: Request, peer: Peer<Caller>) => Promise<object> | object;

/** The sender of a message. */
export interface Peer<Caller> {
  /** Undefined for a transport without headers. */
  headers?: StandardHeaders;
  /** Sends a message, such as a notification, before the answer. */
  send(message: object): void;
  caller: Caller;
}

/** The answer to a request. */
export interface Reply {
  /** A JSON-RPC response. */
  text: string;
  /** The code of the JSON-RPC error, if it is one. */
  code?: number;
  /** The status over HTTP. */
  status: number;
}

/** Speaks MCP over any transport, and keeps no state. */
export interface Protocol<Caller> {
  /**
   * Answers a message; undefined if it gets no answer.
   * @throws what a method throws, except ProtocolError, which becomes the answer.
   */
  answer(message: Message, peer: Peer<Caller>): Promise<Reply | undefined>;
}

export function createProtocol<Caller>(service: Service<Caller>): Protocol<Caller> {
  const { info, capabilities, instructions, caching } = service;

  function initialize({ params }: Request): object {
    const asked = params["protocolVersion"];
    const protocolVersion = initialized.find((version) => version === asked) ?? initialized[0];
    return { protocolVersion, capabilities, serverInfo: info, instructions };
  }

  const discover = (): object => ({ supportedVersions: stateless, capabilities, instructions });

  function methodOf({ method }: Request, isNew: boolean): Method<Caller> {
    if (isNew ? method === "server/discover" : method === "initialize") return isNew ? discover : initialize;
    if (!isNew && method === "ping") return () => ({});
    if (!(isNew && removed.has(method)) && Object.hasOwn(service.methods, method))
      return service.methods[method] as Method<Caller>;
    const shown = JSON.stringify(method.slice(0, 64));
    throw new ProtocolError(codes.methodNotFound, `There is no method ${shown} here.`, {
      // Clients of older revisions take an HTTP error for one of the connection.
      status: isNew ? 404 : 200,
    });
  }

  /** Adds what revision 2026-07-28 requires of results. */
  function complete(method: string, { _meta: meta, ...result }: { _meta?: object }): object {
    return {
      resultType: "complete",
      ...(cacheable.has(method) && caching),
      ...result,
      _meta: { ...meta, [metaKeys.server]: info },
    };
  }

  return {
    async answer(message, peer) {
      if (message.kind !== "request") return undefined;
      try {
        const isNew = isStateless(message, peer.headers);
        const method = methodOf(message, isNew);
        const result = await method(message, peer);
        const shown = isNew ? complete(message.method, result) : result;
        return {
          text: `{"jsonrpc":"2.0","id":${message.id},"result":${JSON.stringify(shown)}}`,
          status: 200,
        };
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        return toErrorReply(error, message.id);
      }
    },
  };
}

/** Returns the answer to a message that has a fault. */
export function toErrorReply({ code, message, data, status }: ProtocolError, id: string = noId): Reply {
  const error = JSON.stringify({ code, message, ...(data !== undefined && { data }) });
  return { text: `{"jsonrpc":"2.0","id":${id},"error":${error}}`, code, status };
}

/** Methods that revision 2026-07-28 removed. */
const removed: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
]);

/** Methods whose results clients may keep (revision 2026-07-28). */
const cacheable: ReadonlySet<string> = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);
