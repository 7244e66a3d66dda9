import type { InboxAccess } from "../../services/inbox/access.ts";
import type { HttpDeps } from "../http/deps.ts";
import type { Handler, Route } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import type { InboxHandlers } from "./inbox-handlers.ts";

/** The routes of inboxes. What answers them is loaded by the first request. */
export function addInboxRoutes(
  http: Http,
  deps: Pick<HttpDeps, "authenticate" | "monotonic" | "options">,
  inbox: Pick<InboxAccess, "open" | "maxBytes">,
  /** Counts a call that is refused before it is one. */
  beforeRefusal: Handler,
): void {
  let loading: Promise<InboxHandlers> | undefined;

  async function load(): Promise<InboxHandlers> {
    const { createInboxHandlers } = await import("./inbox-handlers.ts");
    return createInboxHandlers(http, deps, inbox);
  }

  /** The next request tries again where it could not be loaded: what failed may have been the disk. */
  const handlers = (): Promise<InboxHandlers> =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));

  const lazy =
    (name: keyof InboxHandlers): Handler =>
    async (exchange) =>
      (await handlers())[name](exchange);

  const receive = { POST: lazy("receive"), PUT: lazy("receive") };
  const counted = { isCounted: true, beforeRefusal };
  const routes: Route[] = [
    { path: "/inbox/:id", methods: receive },
    { path: "/inbox/:id/**", template: "/inbox/:id", methods: receive },
    { path: "/api/inboxes", methods: { GET: lazy("list"), POST: lazy("create") }, ...counted },
    {
      path: "/api/inboxes/:id",
      methods: { GET: lazy("show"), PATCH: lazy("change"), DELETE: lazy("remove") },
      ...counted,
    },
    { path: "/api/inboxes/:id/messages", methods: { GET: lazy("messages") }, ...counted },
    { path: "/api/inboxes/:id/messages/:message", methods: { GET: lazy("message") }, ...counted },
    { path: "/api/inboxes/:id/messages/:message/body", methods: { GET: lazy("body") }, ...counted },
  ];
  for (const route of routes) http.route(route);
}
