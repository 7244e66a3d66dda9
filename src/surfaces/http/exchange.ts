import type { IncomingMessage, ServerResponse } from "node:http";
import type { ErrorCode } from "../../catalog/errors.ts";
import type { Principal, Quota } from "../../catalog/principal.ts";
import type { BodyLimit } from "./body.ts";

/** One request and its answer, from the first byte to the log line. It is also the context of h3's event. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  /** The path below the base path, without the query, as it was sent. */
  readonly path: string;
  /** The part after the question mark, still encoded. */
  readonly query: string;
  /** Milliseconds on the monotonic clock. */
  readonly startedAt: number;
  /** The template of the matched route, such as `/api/tools/:slug`; safe as a metric label. */
  route: string;
  /** Path parameters found by h3's router. */
  params?: Record<string, string>;
  ip: string;
  /** Set if a link on another site led here. Only pages and documents are served then. */
  visit: boolean;
  /** Set if the credential is the session cookie of a page. */
  viaCookie?: true;
  principal: Principal | undefined;
  /** Set when the request is counted; every later answer carries it. */
  quota: Quota | undefined;
  tool: string;
  /** Kind of operation on a path that takes several, such as "query"; from a closed list, because it is logged. */
  operation: string;
  /** "" unless the request was refused or cancelled. */
  outcome: "" | ErrorCode | "cancelled";
  /** The cause, for the log; set for bugs and store faults only. */
  error: unknown;
  bytesIn: number;
  bytesOut: number;
  /** Whether the body was read to its end, so that the connection can be reused. */
  bodyRead: boolean;
  /** Whether the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1). */
  expectsContinue: boolean;
  /** Header names and values that every further answer of this exchange carries, such as CORS and Tool-Version. */
  extra: readonly string[];
  /** When `onDeadline` is called, on the clock of `startedAt`; Infinity while nothing is expected from the client. */
  deadline: number;
  // Functions that take the exchange as their argument. With a closure per exchange, most allocations of a request
  // survived V8's minor collections, which halved the throughput (Node 26).
  onDeadline: ((exchange: Exchange) => void) | undefined;
  /** Called once if the client disconnects before it is answered. */
  onGone: ((exchange: Exchange) => void) | undefined;
  /** Set while the body is being read. */
  upload: Upload | undefined;
  /** Bytes booked for a large body (body.ts). */
  held: number;
  /** Bytes booked for a large answer that is not sent yet (reply.ts). */
  unsent: number;
}

/** A body that is being received. */
export interface Upload {
  readonly chunks: Buffer[];
  readonly inlineBytes: number;
  readonly max: BodyLimit;
  readonly startedAt: number;
  /** Bytes received since the last progress check. */
  window: number;
  resolve(bytes: Uint8Array): void;
  reject(error: Error): void;
}

/** Answers a request, or throws a ToolError. */
export type Handler = (exchange: Exchange) => void | Promise<void>;

/**
 * Accepts a WebSocket handshake, or throws a ToolError, which becomes the answer. `head` holds the bytes after the
 * request.
 */
export type Upgrade = (exchange: Exchange, head: Buffer) => void | Promise<void>;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Route {
  /** Path below the base path, in h3's syntax. */
  path: string;
  /** Name of the route in metrics, if the path is one of many. */
  template?: string;
  /** Request headers of its own that pages of other sites may send (CORS). */
  requestHeaders?: readonly string[];
  /** Whether GET serves a page or a document without side effects, so that links on other sites may lead to it. */
  page?: true;
  /** Handlers by method. HEAD follows from GET; OPTIONS is always there. */
  methods: Partial<Record<Method, Handler>>;
  /** Whether GET counts against the quota. */
  isCounted?: boolean;
  /** Whether it is a health probe, which is served at any load. */
  isProbe?: boolean;
  /** Called before a missing method or a key in the query is refused, to count the request. */
  beforeRefusal?: Handler;
  /** Sends refusals on exactly this path in the format of the surface instead of problem details. */
  refuse?(exchange: Exchange, error: unknown): Promise<void>;
}
