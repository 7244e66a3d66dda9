import { ToolError } from "../../catalog/errors.ts";
import type { Body, ToolCall } from "../../catalog/execute.ts";
import type { CatalogTool } from "../../catalog/catalog.ts";
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
  return async (exchange) => {
    // Count first: a used-up quota costs nothing more, and malformed calls count too.
    const admitted = admit(exchange);
    const ticket = admitted instanceof Promise ? await admitted : admitted;
    const found = catalog.get(slugOf(exchange));
    const tool = found instanceof Promise ? await found : found;
    exchange.tool = tool.slug;
    // From here on refusals depend on the tool too, and clients that cache results need its version.
    exchange.extra = [...exchange.extra, "Tool-Version", tool.version];
    const form = formOf(exchange);
    const kind = bodyKind(tool, exchange);
    const { check, rest } = takeCheck(parseQuery(exchange.query));
    if (kind === "json" && rest[0] !== undefined) throw misplaced(rest[0][0]);
    const maxInlineBytes = runner.maxInlineBytes(tool);
    const reading = body.read(exchange, maxInlineBytes);
    const bytes = reading instanceof Promise ? await reading : reading;
    const call: ToolCall = { tool, body: toBody(kind, bytes, rest), form, check };
    const signal = bytes.length > maxInlineBytes ? abortOnLeave(exchange).signal : undefined;
    const answer = await runner.run(call, ticket, signal);
    await sendAnswer(reply, exchange, { form, check }, answer);
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
