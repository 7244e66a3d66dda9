import type { InboxAccess } from "../../services/inbox/access.ts";
import type { HttpDeps } from "../http/deps.ts";
import type { Handler, Route } from "../http/exchange.ts";
import type { Http } from "../http/http.ts";
import { lazyHandlers } from "../http/lazy-handlers.ts";

/** Adds the routes of inboxes. Their handlers are loaded by the first request. */
export function addInboxRoutes(
  http: Http,
  deps: Pick<HttpDeps, "authenticate" | "runtime" | "options">,
  inbox: Pick<InboxAccess, "open" | "maxBytes">,
  /** Counts a call that is refused before its handler runs. */
  beforeRefusal: Handler,
): void {
  const { handle } = lazyHandlers(async () => {
    const { createInboxHandlers } = await import("./inbox-handlers.ts");
    return createInboxHandlers(http, deps, inbox);
  });
  const receive = { POST: handle("receive"), PUT: handle("receive") };
  const counted = { isCounted: true, beforeRefusal };
  const routes: Route[] = [
    { path: "/inbox/:id", methods: receive },
    { path: "/inbox/:id/**", template: "/inbox/:id", methods: receive },
    { path: "/api/inboxes", methods: { GET: handle("list"), POST: handle("create") }, ...counted },
    {
      path: "/api/inboxes/:id",
      methods: { GET: handle("show"), PATCH: handle("change"), DELETE: handle("remove") },
      ...counted,
    },
    { path: "/api/inboxes/:id/messages", methods: { GET: handle("messages") }, ...counted },
    { path: "/api/inboxes/:id/messages/:message", methods: { GET: handle("message") }, ...counted },
    { path: "/api/inboxes/:id/messages/:message/body", methods: { GET: handle("body") }, ...counted },
  ];
  for (const route of routes) http.route(route);
}
