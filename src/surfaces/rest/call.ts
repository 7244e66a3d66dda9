import { ToolError } from "../../catalog/errors.ts";
import type { Body, Call } from "../../catalog/execute.ts";
import type { CatalogTool } from "../../catalog/catalog.ts";
import { negotiateForm } from "../http/accept.ts";
import { hasBody } from "../http/body.ts";
import type { HttpDeps } from "../http/deps.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { isUtf8Charset, parseMediaType } from "../http/media-type.ts";
import { parseQuery } from "../http/query.ts";
import { slugOf } from "./slug.ts";

const types = {
  json: "application/json",
  text: "text/plain; charset=utf-8",
  bytes: "application/octet-stream",
} as const;

const vary = ["Vary", "Accept, Accept-Encoding"];

/** `POST /api/tools/<slug>`. */
export function createCall(
  { admit, body, reply }: Http,
  { catalog, runner, options: { inlineBytes } }: Pick<HttpDeps, "catalog" | "runner" | "options">,
): Handler {
  return async (exchange) => {
    // First of all: a spent quota costs nothing more, and whatever is wrong with the rest, the call counts.
    const ticket = await admit(exchange);
    const found = catalog.get(slugOf(exchange));
    const tool = found instanceof Promise ? await found : found;
    exchange.tool = tool.slug;
    // From here on a refusal is the tool's own as well, and whoever keeps results must know what made them.
    exchange.extra = [...exchange.extra, "Tool-Version", tool.version];
    const { headers } = exchange.req;
    const form = negotiateForm(headers.accept);
    if (form === undefined) {
      throw new ToolError(
        "not_acceptable",
        "The answer comes as application/json, text/plain or application/octet-stream.",
      );
    }
    const kind = bodyKind(tool, exchange);
    const { check, rest } = takeCheck(parseQuery(exchange.query));
    if (kind === "json" && rest[0] !== undefined) throw misplaced(rest[0][0]);
    const reading = body.read(exchange, tool.isolate ? 0 : inlineBytes);
    const bytes = reading instanceof Promise ? await reading : reading;
    const call: Call = { slug: tool.slug, body: toBody(kind, bytes, rest), form, check };
    const answer = await runner.run(
      call,
      ticket,
      tool.isolate || bytes.length > inlineBytes ? signalOf(exchange) : undefined,
    );
    const status = answer.valid === false ? 422 : 200;
    await reply.sendCompressed(exchange, status, types[form], answer.body, vary);
  };
}

type Kind = "json" | "text" | "bytes";

function bodyKind(tool: CatalogTool, exchange: Exchange): Kind {
  const { headers } = exchange.req;
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "identity") {
    throw new ToolError(
      "unsupported_media_type",
      "Send the body without Content-Encoding: compressed bodies are not read.",
    );
  }
  const media = parseMediaType(headers["content-type"]);
  // A generator needs no document: `curl -X POST …/uuid-generator` has neither body nor type.
  if (headers["content-type"] === undefined && !hasBody(exchange) && !("data" in tool.input.shape))
    return "text";
  const kind = media === undefined ? undefined : kindOf(media.type);
  if (kind === undefined) {
    throw new ToolError(
      "unsupported_media_type",
      "Send application/json with the fields, text/plain with the document itself, or application/octet-stream with bytes.",
    );
  }
  if (kind !== "bytes" && !isUtf8Charset(media?.charset)) {
    throw new ToolError("unsupported_media_type", "Only UTF-8 is read; leave the charset out or send utf-8.");
  }
  if (kind === "bytes" && tool.runBytes === undefined) {
    throw new ToolError(
      "unsupported_media_type",
      `${tool.slug} takes text, not bytes; send it as text/plain or as application/json.`,
    );
  }
  return kind;
}

function kindOf(type: string): Kind | undefined {
  if (type === "application/json" || type.endsWith("+json")) return "json";
  if (type === "text/plain") return "text";
  if (type === "application/octet-stream") return "bytes";
  return undefined;
}

function takeCheck(pairs: [string, string][]): { check: boolean; rest: [string, string][] } {
  const own = pairs.filter(([name]) => name === "check");
  if (own.length === 0) return { check: false, rest: pairs };
  const [value] = own.map(([, text]) => text);
  if (own.length > 1 || value === undefined || !/^(?:true|false|1|0|)$/.test(value)) {
    throw new ToolError("invalid_input", "check: Expected true or false, once.", {
      errors: [{ message: "Expected true or false, once.", pointer: "/check" }],
    });
  }
  return { check: value !== "false" && value !== "0", rest: pairs.filter(([name]) => name !== "check") };
}

const misplaced = (name: string): ToolError =>
  new ToolError(
    "unknown_field",
    `With a JSON body the options are fields of the body; ${JSON.stringify(name.slice(0, 64))} in the query would be ignored.`,
  );

function toBody(kind: Kind, bytes: Uint8Array, options: [string, string][]): Body {
  return kind === "json" ? { kind: "json", bytes } : { kind: "raw", bytes, text: kind === "text", options };
}

/** Aborts the run when the client goes away; made only where there is something to stop. */
function signalOf(exchange: Exchange): AbortSignal {
  const controller = new AbortController();
  exchange.onGone = () => controller.abort();
  if (exchange.res.destroyed) controller.abort();
  return controller.signal;
}
