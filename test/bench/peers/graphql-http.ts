import { createHandler } from "graphql-http/lib/use/http";
import { contextOf, listen, schema } from "./graphql-work.ts";

/** As its documentation has it for Node; it parses and validates each document anew. */
listen(createHandler({ schema, context: async ({ raw }) => ({ ...(await contextOf(raw)) }) }));
