import { explanations } from "../../catalog/error-explanations.ts";
import { describeError, errorCodes, type ToolError } from "../../catalog/errors.ts";
import { redact } from "../http/problem.ts";
import type { Reply } from "../http/reply.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Link } from "./document.ts";
import type { WebHandlers } from "./handlers.ts";
import { type Markup, markup } from "./markup.ts";
import { pageHeaders } from "./policy.ts";
import { rootFrom } from "./root.ts";

/** Makes and sends pages. */
export interface PageSender {
  basePath: string;
  reply: Reply;
  pageFrom(root: string, title: string, main: Markup): string;
  /** Sends a page that its URL shows to some clients only. */
  sendPage(exchange: Exchange, title: string, main: Markup): void | Promise<void>;
}

const htmlType = "text/html; charset=utf-8";
const unstored = ["Vary", "Accept", "Cache-Control", "no-store"];

/** The pages that explain a refusal. */
export function createRefusalPages({
  basePath,
  reply,
  pageFrom,
  sendPage,
}: PageSender): Pick<WebHandlers, "problem" | "refuse" | "refusal"> {
  function refusalFrom(root: string, error: ToolError, requestId: string, ways: readonly Link[]): string {
    const { status, title } = errorCodes[error.code];
    const main = markup`<h1>${title}</h1>
<p class="lead">${withoutSuggestion(error)}</p>
${toSuggestion(error, root)}<ul>
${ways.map(({ path, text }) => markup`<li><a href="${root}${path}">${text}</a></li>\n`)}<li><a href="${root}problems/${error.code}">About this problem</a></li>
</ul>
<p>HTTP status ${status}, request <code>${requestId}</code></p>`;
    return redact(pageFrom(root, title, main));
  }

  return {
    problem(exchange, code) {
      const { status, title } = errorCodes[code];
      const main = markup`<h1>${title}</h1>
<p><code>${code}</code>, HTTP status ${status}</p>
<p class="lead">${explanations[code]}</p>
<p><a href="${rootFrom(exchange, basePath)}tools">All tools</a></p>`;
      return sendPage(exchange, `${code}: ${title}`, main);
    },
    refuse(exchange, error, ways = elsewhere) {
      const { status } = errorCodes[error.code];
      const text = refusalFrom(rootFrom(exchange, basePath), error, exchange.requestId, ways);
      reply.send(exchange, status, htmlType, text, [...pageHeaders(exchange), ...unstored]);
    },
    refusal(error, requestId) {
      const headers = [...pageHeaders({ req: { headers: {} } }), ...unstored];
      return { type: htmlType, body: refusalFrom(`${basePath}/`, error, requestId, elsewhere), headers };
    },
  };
}

/** The page links what may be meant, so its text need not name it. */
const withoutSuggestion = (error: ToolError): string =>
  describeError(error).replace(` Did you mean ${error.details.nearest}?`, "");

/** Names what may be meant; a tool also by a link to its page. */
function toSuggestion({ code, details: { nearest } }: ToolError, root: string): Markup | undefined {
  if (nearest === undefined) return undefined;
  const name = markup`<code>${nearest}</code>`;
  return markup`<p>Did you mean ${code === "unknown_tool" ? markup`<a href="${root}tools/${nearest}">${name}</a>` : name}?</p>
`;
}

/** Links on the page of a path that does not exist. */
const elsewhere: readonly Link[] = [
  { path: "", text: "Home" },
  { path: "tools", text: "All tools" },
];
