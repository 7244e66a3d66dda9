import { ToolError } from "../../catalog/errors.ts";
import type { Body, ToolCall } from "../../catalog/execute.ts";
import type { CatalogTool } from "../../catalog/catalog.ts";
import type { Ticket } from "../../catalog/principal.ts";
import { hasBody } from "../http/body.ts";
import type { HttpDeps } from "../http/deps.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { abortOnLeave } from "../http/leaving.ts";
import { parseQuery } from "../http/query.ts";
import { type BodyKind, formOf, kindOf, misplaced, sendAnswer, takeCheck } from "./call-parts.ts";
import { slugOf } from "./slug.ts";

/** `POST /api/tools/<slug>`. */
export function createCall(
  { admit, body, reply }: Http,
  { catalog, runner }: Pick<HttpDeps, "catalog" | "runner">,
): Handler {
  // The steps are functions of their own, because an async function holds all of its variables until it ends: what one
  // step needs would be allocated for each request even where nothing has to be awaited.
  function find(exchange: Exchange, ticket: Ticket): void | Promise<void> {
    const found = catalog.get(slugOf(exchange));
    return found instanceof Promise
      ? found.then((tool) => read(exchange, ticket, tool))
      : read(exchange, ticket, found);
  }

  function read(exchange: Exchange, ticket: Ticket, tool: CatalogTool): void | Promise<void> {
    exchange.tool = tool.slug;
    // From here on refusals depend on the tool too, and clients that cache results need its version.
    exchange.extra = [...exchange.extra, "Tool-Version", tool.version];
    const form = formOf(exchange);
    const kind = bodyKind(tool, exchange);
    const { check, rest } = takeCheck(parseQuery(exchange.query));
    if (kind === "json" && rest[0] !== undefined) throw misplaced(rest[0][0]);
    const maxInlineBytes = runner.maxInlineBytes(tool);
    const reading = body.read(exchange, maxInlineBytes);
    const proceed = (bytes: Uint8Array): Promise<void> => {
      const signal = bytes.length > maxInlineBytes ? abortOnLeave(exchange).signal : undefined;
      const call: ToolCall = { tool, body: toBody(kind, bytes, rest), form, check };
      return runner
        .run(call, ticket, signal)
        .then((answer) => sendAnswer(reply, exchange, { form, check }, answer));
    };
    return reading instanceof Promise ? reading.then(proceed) : proceed(reading);
  }

  return (exchange) => {
    // Count first: a used-up quota costs nothing more, and malformed calls count too.
    const admitted = admit(exchange);
    return admitted instanceof Promise
      ? admitted.then((ticket) => find(exchange, ticket))
      : find(exchange, admitted);
  };
}

function bodyKind(tool: CatalogTool, exchange: Exchange): BodyKind {
  const kind = kindOf(exchange);
  if (kind === undefined) {
    // A generator needs no document: `curl -X POST …/uuid-generator` has neither a body nor a type.
    const bare = exchange.req.headers["content-type"] === undefined && !hasBody(exchange);
    if (bare && !("data" in tool.input.shape)) return "text";
    throw new ToolError(
      "unsupported_media_type",
      "Send application/json with the fields, text/plain with the document itself, or application/octet-stream with bytes.",
    );
  }
  if (kind === "bytes" && tool.runBytes === undefined) {
    throw new ToolError(
      "unsupported_media_type",
      `${tool.slug} takes text, not bytes; send it as text/plain or as application/json.`,
    );
  }
  return kind;
}

function toBody(kind: BodyKind, bytes: Uint8Array, options: [string, string][]): Body {
  return kind === "json" ? { kind: "json", bytes } : { kind: "raw", bytes, text: kind === "text", options };
}
