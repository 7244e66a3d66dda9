import type { Catalog } from "../../catalog/catalog.ts";
import type { Handler } from "../http/exchange.ts";
import type { Reply } from "../http/reply.ts";
import { sendTagged, type Tagged, toTagged } from "../http/tagged.ts";
import type { LlmsOptions } from "./llms-page.ts";

/** `GET /llms.txt`: what is here and how it is called, for a language model (llmstxt.org). Free, like every document. */
export function createLlms(catalog: Catalog, reply: Reply, options: LlmsOptions): Handler {
  let document: Tagged | undefined;
  return async (exchange) => {
    if (document === undefined) {
      const { toPage } = await import("./llms-page.ts");
      document = toTagged("text/plain; charset=utf-8", toPage(await catalog.all(), options));
    }
    return sendTagged(reply, exchange, document);
  };
}
