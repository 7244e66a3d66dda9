import type { IncomingMessage, ServerResponse } from "node:http";
import type { ErrorCode } from "../../catalog/errors.ts";
import type { Principal, Quota } from "../../catalog/principal.ts";
import type { BodyLimit } from "./body.ts";

/** One request and its answer, from the first byte to the line in the log. It is also the context of h3's event. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  /** Without the base path and the query, as it was sent. */
  readonly path: string;
  /** What follows the question mark, still encoded. */
  readonly query: string;
  /** Milliseconds of the clock that never goes back. */
  readonly startedAt: number;
  /** The template that matched, such as `/api/tools/:slug`: what a metric may carry. */
  route: string;
  /** What h3's router found in the path. */
  params?: Record<string, string>;
  ip: string;
  /** Set if a link on another site led here, so that only a page or a document is shown. */
  visit: boolean;
  principal: Principal | undefined;
  /** Set as soon as the request was counted: every answer from then on carries it. */
  quota: Quota | undefined;
  tool: string;
  /** Kind of operation on a path that takes several, such as "query"; from a closed list, because it is logged. */
  operation: string;
  /** "" while all is well, then the code of the refusal. */
  outcome: "" | ErrorCode | "cancelled";
  /** Why it failed, for the log; only bugs and faults of the store have one. */
  error: unknown;
  bytesIn: number;
  bytesOut: number;
  /** Whether the body was read to its end, so that the connection can be used again. */
  bodyRead: boolean;
  /** The client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1). */
  expectsContinue: boolean;
  /** Header lines that every answer of this exchange carries from now on: CORS, the version of the tool. */
  extra: readonly string[];
  /** When `onDeadline` is called, on the clock of `startedAt`; Infinity while nothing is awaited from the client. */
  deadline: number;
  // Functions that are given the exchange, and not closures over it: a closure of its own in each exchange made most
  // of what a request allocates outlive V8's minor collections, and halved the throughput (Node 26).
  onDeadline: ((exchange: Exchange) => void) | undefined;
  /** Called once when the client goes away before its answer. */
  onGone: ((exchange: Exchange) => void) | undefined;
  /** While the body is being read. */
  upload: Upload | undefined;
  /** Bytes of a large body that are booked as held (body.ts). */
  held: number;
  /** Bytes of a large answer that are booked as not sent yet (reply.ts). */
  unsent: number;
}

/** A body on its way. */
export interface Upload {
  readonly chunks: Buffer[];
  readonly inlineBytes: number;
  readonly most: BodyLimit;
  readonly startedAt: number;
  /** Bytes since the last look at the progress. */
  window: number;
  resolve(bytes: Uint8Array): void;
  reject(error: Error): void;
}

/** What a route does with a request: answers, or throws a ToolError. */
export type Handler = (exchange: Exchange) => void | Promise<void>;

/** Makes a WebSocket of a handshake, `head` being what came behind it; or throws a ToolError, which answers it. */
export type Upgrade = (exchange: Exchange, head: Buffer) => void | Promise<void>;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Route {
  /** Below the base path, in h3's syntax. */
  path: string;
  /** What metrics call it, where the path itself is one of many. */
  template?: string;
  /** Request headers of its own that pages of other sites may send (CORS). */
  requestHeaders?: readonly string[];
  /** Whether GET shows a page or a document and changes nothing, so that links on other sites may lead to it. */
  page?: true;
  /** HEAD comes with GET, OPTIONS with every route. */
  methods: Partial<Record<Method, Handler>>;
  /** Whether a quota counts its GET. */
  isCounted?: boolean;
  /** Whether it is a health probe, which is always served. */
  isProbe?: boolean;
  /** Called before a method that is not there, or a key in the query, is refused: to count it. */
  beforeRefusal?: Handler;
  /** Sends whatever is refused on this very path in the form of its surface, in the place of problem details. */
  refuse?(exchange: Exchange, error: unknown): Promise<void>;
}
