import { createHandler } from "graphql-http/lib/use/http";
import { contextOf, listen, schema } from "./graphql-work.ts";

/** Set up as its documentation shows for Node; it parses and validates each document anew. */
listen(createHandler({ schema, context: async ({ raw }) => ({ ...(await contextOf(raw)) }) }));
