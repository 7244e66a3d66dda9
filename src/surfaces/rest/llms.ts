import type { Catalog } from "../../catalog/catalog.ts";
import { lazy } from "../../lib/lazy.ts";
import type { Handler } from "../http/exchange.ts";
import type { Reply } from "../http/reply.ts";
import { sendTagged, toTagged } from "../http/tagged.ts";
import type { LlmsOptions } from "./llms-page.ts";

/** `GET /llms.txt`: describes the server and its calls for language models (llmstxt.org). Free, like every document. */
export function createLlms(catalog: Catalog, reply: Reply, options: LlmsOptions): Handler {
  const document = lazy(async () => {
    const { toPage } = await import("./llms-page.ts");
    return toTagged("text/plain; charset=utf-8", toPage(await catalog.all(), options));
  });
  return async (exchange) => sendTagged(reply, exchange, await document());
}
