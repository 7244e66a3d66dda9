import { type ErrorCode, ToolError } from "../../catalog/errors.ts";
import { prefer } from "../http/accept.ts";
import { createEventStreams, streamHeaders } from "../http/event-stream.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { abortOnLeave } from "../http/leaving.ts";
import { parseMediaType, requireUncoded, requireUtf8 } from "../http/media-type.ts";
import { originOf } from "../http/origin.ts";
import { redact, toProblem } from "../http/problem.ts";
import type { McpDeps } from "./deps.ts";
import { InvalidMessage, type Message, parseMessage } from "./protocol/message.ts";
import { type Peer, type Protocol, type Reply, toErrorReply } from "./protocol/protocol.ts";
import { codes } from "./protocol/protocol-error.ts";
import type { Caller } from "./tool.ts";

/** The handlers of /mcp. */
export interface McpHandlers {
  answer: Handler;
  /** Sends refusals of requests that hold no message, or whose sender is not served. */
  refuse(exchange: Exchange, error: unknown): void;
}

type TransportDeps = Pick<McpDeps, "options" | "authenticate" | "metrics" | "runtime" | "mcp">;

/**
 * Streamable HTTP without sessions: each POST is one message, and its answer is the response.
 * @param protocolFor Returns the protocol for the query of the URL.
 */
export function createTransport(
  http: Http,
  deps: TransportDeps,
  protocolFor: (query: string) => Promise<Protocol<Caller>>,
): McpHandlers {
  const { options, mcp, metrics } = deps;
  const streams = createEventStreams(http, deps);
  const max = { bytes: mcp.maxBytes, option: "mcp.maxBytes" };

  /** Reads the message. One that cannot be read may have been a run, so it counts as one. */
  async function receive(exchange: Exchange): Promise<{ protocol: Protocol<Caller>; message: Message }> {
    try {
      requireJson(exchange);
      const protocol = await protocolFor(exchange.query);
      const message = parseMessage(await http.body.read(exchange, options.inlineBytes, max));
      return { protocol, message };
    } catch (error) {
      await http.count(exchange);
      throw error;
    }
  }

  async function respond(exchange: Exchange): Promise<Reply | undefined | "sent"> {
    await http.identify(exchange);
    try {
      const { protocol, message } = await receive(exchange);
      exchange.operation = operationOf(message);
      if (!isRun(message)) http.uncounted.take(exchange);
      return await converse(exchange, protocol, message);
    } catch (error) {
      if (error instanceof InvalidMessage) return toErrorReply(error, error.id);
      throw error;
    }
  }

  /** Answers a message. Messages before the answer turn the response into an event stream. */
  async function converse(
    exchange: Exchange,
    protocol: Protocol<Caller>,
    message: Message,
  ): Promise<Reply | undefined | "sent"> {
    const waiting: string[] = [];
    const first = Promise.withResolvers<"first">();
    let wake = first.resolve.bind(undefined, "first");
    const caller = createCaller(exchange);
    const peer: Peer<Caller> = {
      headers: headersOf(exchange),
      send(before) {
        waiting.push(toEvent(JSON.stringify(before)));
        wake();
      },
      caller,
    };
    const answer = async (): Promise<Reply | undefined> => {
      const reply = await protocol.answer(message, peer);
      // A run that the protocol refuses is malformed, and counts.
      if (isRun(message) && !caller.isCounted) await http.count(exchange);
      return reply;
    };
    const answering = answer();
    if (!accepts(exchange, "text/event-stream")) return answering;
    if ((await Promise.race([answering, first.promise])) !== "first") return answering;
    // Awaited below, unless the client leaves first.
    answering.catch(() => undefined);
    await streams.run(exchange, { onOver: caller.leave }, async (stream) => {
      stream.begin();
      caller.streams = true;
      let isAnswered = false;
      wake = () => stream.wake();
      const settle = (): void => {
        isAnswered = true;
        stream.wake();
      };
      answering.then(settle, settle);
      while (!stream.over) {
        for (const event of waiting.splice(0)) await stream.write(event);
        if (isAnswered) return stream.write(toEvent((await answering)?.text ?? ""));
        await stream.pause(() => waiting.length > 0 || isAnswered);
      }
    });
    return "sent";
  }

  const createCaller = (exchange: Exchange): HttpCaller => {
    let leaving: AbortController | undefined;
    return {
      streams: false,
      isCounted: false,
      async admit() {
        this.isCounted = true;
        try {
          return await http.count(exchange);
        } catch (error) {
          // The body of a refused run was read all the same, so there is a limit to these.
          if (error instanceof ToolError && error.code === "quota_exceeded") http.uncounted.take(exchange);
          throw error;
        }
      },
      get signal() {
        leaving ??= this.streams ? new AbortController() : abortOnLeave(exchange);
        return leaving.signal;
      },
      leave: () => leaving?.abort(),
      note: (slug) => void (exchange.tool = slug),
      refused: (code) => void (exchange.outcome = code),
      get baseUrl() {
        return originOf(exchange) + options.basePath;
      },
    };
  };

  function send(exchange: Exchange, reply: Reply | undefined): void | Promise<void> {
    if (reply === undefined) return http.reply.sendEmpty(exchange, 202);
    const { code, status } = reply;
    if (code !== undefined) exchange.outcome = outcomes[code] ?? "invalid_input";
    // Errors show names that the client sent.
    const text = code === undefined ? reply.text : redact(reply.text);
    if (!accepts(exchange, "application/json") && accepts(exchange, "text/event-stream"))
      return http.reply.send(exchange, status, "text/event-stream", toEvent(text), streamHeaders);
    return http.reply.sendCompressed(exchange, status, "application/json", text, fresh);
  }

  return {
    async answer(exchange) {
      let outcome = "internal";
      try {
        const reply = await respond(exchange);
        if (reply !== "sent") await send(exchange, reply);
        outcome = exchange.res.destroyed ? "cancelled" : exchange.outcome || "ok";
      } catch (error) {
        if (error instanceof ToolError) outcome = error.code;
        else if (exchange.res.destroyed) outcome = "cancelled";
        throw error;
      } finally {
        metrics.operation("mcp", exchange.operation || "none", outcome);
      }
    },
    refuse(exchange, error) {
      const { status, body, headers } = toProblem(error, exchange, options.basePath);
      const problem = JSON.parse(body) as { detail: string };
      const code = status === 500 ? codes.internalError : codes.refused;
      const text = JSON.stringify({
        jsonrpc: "2.0",
        id: null,
        error: { code, message: problem.detail, data: problem },
      });
      http.reply.send(exchange, status, "application/json", text, headers);
    },
  };
}

interface HttpCaller extends Caller {
  /** Whether the response is an event stream, which notices by itself that the client has left. */
  streams: boolean;
  /** Whether the quota was asked for the request. */
  isCounted: boolean;
  leave(): void;
}

/** @throws ToolError unsupported_media_type */
function requireJson({ req: { headers } }: Exchange): void {
  requireUncoded(headers["content-encoding"]);
  const media = parseMediaType(headers["content-type"]);
  if (media?.type !== "application/json")
    throw new ToolError(
      "unsupported_media_type",
      "Send the message as JSON, with Content-Type: application/json.",
    );
  requireUtf8(media.charset);
}

const headersOf = ({ req: { headers } }: Exchange): NonNullable<Peer<Caller>["headers"]> => ({
  version: headers["mcp-protocol-version"] as string | undefined,
  method: headers["mcp-method"] as string | undefined,
  name: headers["mcp-name"] as string | undefined,
});

const accepts = ({ req: { headers } }: Exchange, type: string): boolean =>
  headers.accept === undefined
    ? type === "application/json"
    : prefer(headers.accept, [[type, true]]) === true;

/** Everything that calls a tool is a run, known or not, except the search. */
const isRun = ({ kind, method, params }: Message): boolean =>
  kind === "request" && method === "tools/call" && params["name"] !== "find_tools";

/** Names of operations in log and metrics. */
const operations: ReadonlySet<unknown> = new Set([
  "initialize",
  "server/discover",
  "ping",
  "tools/list",
  "tools/call",
  "run_tool",
  "find_tools",
  "run_pipeline",
]);

function operationOf({ kind, method, params }: Message): string {
  if (kind !== "request") return kind;
  if (method === "tools/call" && operations.has(params["name"])) return params["name"] as string;
  return operations.has(method) ? method : "other";
}

/** The codes of the log for errors of the protocol. */
const outcomes: Readonly<Record<number, ErrorCode>> = {
  [codes.parseError]: "bad_json",
  [codes.methodNotFound]: "not_found",
};

/** One line, because JSON contains no raw line breaks. */
const toEvent = (json: string): string => `event: message\ndata: ${json}\n\n`;

const fresh = ["Cache-Control", "no-store", "Vary", "Accept, Accept-Encoding"];
