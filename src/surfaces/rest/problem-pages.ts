import { errorCodes, ToolError, type ErrorCode } from "../../catalog/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import { prefer } from "../http/accept.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import type { Reply } from "../http/reply.ts";

const forms = [
  ["text/html", "html"],
  ["text/plain", "text"],
  ["application/json", "json"],
] as const;

/** Sends the page of a problem in the look of the other pages. */
export type ShowProblem = (exchange: Exchange, code: ErrorCode) => Promise<void>;

/**
 * `GET /problems/<code>`: the page behind the `type` of a problem (RFC 9457 §3.1.1). Without `show`, which an installation
 * without a web surface lacks, its HTML is a plain page.
 */
export function createProblemPages(reply: Reply, basePath: string, show?: ShowProblem): Handler {
  return async (exchange: Exchange) => {
    const code = exchange.params?.code ?? "";
    if (!isCode(code)) {
      const near = nearest(code, Object.keys(errorCodes));
      throw new ToolError(
        "not_found",
        "There is no problem with that code.",
        near === undefined ? {} : { nearest: near },
      );
    }
    const { status, title } = errorCodes[code];
    const { explanations } = await import("../../catalog/error-explanations.ts");
    const explain = explanations[code];
    const headers = ["Cache-Control", "public, max-age=3600", "Vary", "Accept"];
    switch (prefer(exchange.req.headers.accept ?? "*/*", forms) ?? "html") {
      case "html":
        if (show !== undefined) return show(exchange, code);
        // The page has no scripts, and none can be injected.
        headers.push(
          "Content-Security-Policy",
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        );
        return reply.send(
          exchange,
          200,
          "text/html; charset=utf-8",
          toPage(code, status, title, explain, basePath),
          headers,
        );
      case "text":
        return reply.send(
          exchange,
          200,
          "text/plain; charset=utf-8",
          `${code} (${status})\n${title}\n\n${explain}\n`,
          headers,
        );
      case "json": {
        const body = JSON.stringify({ type: `${basePath}/problems/${code}`, code, status, title, explain });
        return reply.send(exchange, 200, "application/json", body, headers);
      }
    }
  };
}

const isCode = (text: string): text is ErrorCode => Object.hasOwn(errorCodes, text);

function toPage(code: string, status: number, title: string, explain: string, basePath: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${code}: ${escape(title)}</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}code{font-size:.95em}</style>
<h1>${escape(title)}</h1>
<p><code>${code}</code>, HTTP status ${status}</p>
<p>${escape(explain)}</p>
<p><a href="${basePath}/api/tools">All tools</a></p>
</html>
`;
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
