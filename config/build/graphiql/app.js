// The page of GET /graphql. JavaScript, because nothing else here needs React's types.
import { GraphiQL } from "graphiql";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { createFetcher } from "./fetcher.ts";
import { withoutHeaders } from "./storage.ts";

const welcome = `# penknife over GraphQL
#
# Ctrl-Space completes, Ctrl-Enter runs.
# The book on the left has the schema.
#
# To call as an account, put its key or your
# session's token into "Headers" below:
#
#   {"Authorization": "Bearer svc_live_..."}
#
# It is kept until you leave this page.

{
  viewer {
    kind
    quota {
      limit
      remaining
    }
  }
}
`;

const root = document.getElementById("graphiql");
// A link may bring a document; it is never run by itself.
const given = new URLSearchParams(location.search);
const fromLink = (name) => given.get(name) ?? undefined;

createRoot(root).render(
  createElement(
    GraphiQL,
    {
      fetcher: createFetcher(location.pathname, fetch),
      defaultQuery: welcome,
      query: fromLink("query"),
      variables: fromLink("variables"),
      operationName: fromLink("operationName"),
      // Null: there is no schema, and it is not asked for.
      ...(root.dataset.introspection === "off" && { schema: null }),
      // Documents and variables hold what is nobody else's business: they are there after a reload of the page, and not
      // after it was closed, for the next who sits down at this machine.
      storage: withoutHeaders(sessionStorage),
      shouldPersistHeaders: false,
      showPersistHeadersSettings: false,
      defaultEditorToolsVisibility: "headers",
    },
    createElement(GraphiQL.Logo, null, "penknife"),
  ),
);
