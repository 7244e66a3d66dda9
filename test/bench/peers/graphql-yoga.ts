import type { IncomingMessage } from "node:http";
import { createYoga } from "graphql-yoga";
import { contextOf, listen, schema } from "./graphql-work.ts";

/** Set up as its documentation shows for Node, without its log and its page; it caches documents. */
const yoga = createYoga<{ req: IncomingMessage }>({
  schema,
  context: ({ req }) => contextOf(req),
  logging: false,
  graphiql: false,
  landingPage: false,
});

listen((request, response) => void yoga(request, response));
