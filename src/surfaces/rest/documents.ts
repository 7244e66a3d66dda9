import type { Catalog } from "../../catalog/catalog.ts";
import { describe, summarize } from "../../catalog/describe.ts";
import { lazy } from "../../lib/lazy.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import { parseQuery } from "../http/query.ts";
import type { Reply } from "../http/reply.ts";
import { slugOf } from "./slug.ts";
import { sendTagged, type Tagged, toTagged } from "../http/tagged.ts";

/** The documents of the catalogue. Free, and the same for everyone. */
export interface Documents {
  /** `GET /api/tools`, with `?search=` the best first */
  list: Handler;
  /** `GET /api/tools/<slug>` */
  one: Handler;
}

export function createDocuments(catalog: Catalog, reply: Reply): Documents {
  // Made by the first request and kept: they change only with the executable.
  const documents = new Map<string, () => Promise<Tagged>>();

  function documentOf(name: string, make: () => Promise<unknown>): Promise<Tagged> {
    let document = documents.get(name);
    if (document === undefined) {
      document = lazy(async () => toTagged("application/json", `${JSON.stringify(await make(), null, 2)}\n`));
      documents.set(name, document);
    }
    return document();
  }

  async function find(exchange: Exchange, query: string): Promise<void> {
    const { findNamed, toFoundList } = await import("../../catalog/find-tools.ts");
    const list = toFoundList(findNamed(await catalog.all(), query));
    return sendTagged(reply, exchange, toTagged("application/json", `${JSON.stringify(list, null, 2)}\n`));
  }

  return {
    async list(exchange) {
      const [, search] = parseQuery(exchange.query).find(([name]) => name === "search") ?? [];
      if (search !== undefined) return find(exchange, search);
      const make = async (): Promise<unknown> => ({ items: (await catalog.all()).map(summarize) });
      return sendTagged(reply, exchange, await documentOf("", make));
    },
    async one(exchange) {
      const tool = await catalog.get(slugOf(exchange));
      return sendTagged(reply, exchange, await documentOf(tool.slug, async () => describe(tool)));
    },
  };
}
