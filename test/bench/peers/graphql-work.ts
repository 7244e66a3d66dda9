import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { GraphQLSchema } from "graphql";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { execute } from "../../../src/catalog/execute.ts";
import type { Principal, Quota } from "../../../src/catalog/principal.ts";
import { createRunner } from "../../../src/catalog/run.ts";
import { createSchema } from "../../../src/surfaces/graphql/schema/schema.ts";
import type { GraphqlContext } from "../../../src/surfaces/graphql/context.ts";
import type { GraphqlDeps } from "../../../src/surfaces/graphql/deps.ts";
import { tools } from "../../../src/tools/index.ts";
import { accountOf } from "./keys.ts";
import { testRuntime } from "../../support/runtime.ts";
import { hostname, limit, port, windowMs } from "./work.ts";

/**
 * The schema and resolvers of penknife, for other servers. They check the key and count requests in a variable; they have no log, metrics
 * or store, all of which penknife has.
 */
const runtime = testRuntime({ monotonic: () => performance.now() });
const context = { now: runtime.now, random: runtime.random };
const catalog = createCatalog(tools);
const resetAt = Date.now() + windowMs;
let used = 0;

const runner = createRunner({
  catalog,
  async admit(principal, requests) {
    used += requests;
    const quota: Quota = { limit, used, remaining: limit - used, resetAt };
    return { principal, quota };
  },
  isolate: async (call) => execute(await catalog.get(call.slug), call, context),
  context,
  inlineBytes: 65_536,
  runtime,
  observe: () => {},
});

/** Leaves out what the documents of the benchmark never reach. */
const deps = {
  catalog,
  runner,
  runtime,
  graphql: { introspection: true, graphiql: false, maxBytes: 1_048_576, maxDepth: 10, maxAliases: 30 },
  options: { basePath: "", inlineBytes: 65_536 },
} as unknown as GraphqlDeps;

export const { schema }: { schema: GraphQLSchema } = await createSchema(catalog);

const never = new AbortController().signal;

/** The context of a request: checks its key and counts it. @throws Error for an unknown key. */
export async function contextOf({ headers }: IncomingMessage): Promise<GraphqlContext> {
  const account = accountOf(headers.authorization);
  if (account === undefined) throw new Error("unknown key");
  const principal: Principal = { kind: "key", account, plan: "team", keyId: "key_0" };
  const ticket = await runner.admit(principal);
  return {
    deps,
    principal,
    quota: ticket.quota,
    requestId: "",
    ip: "",
    baseUrl: "",
    signal: never,
    gone: false,
    nextTicket: () => ticket,
    takeResult: () => {},
  };
}

export function listen(listener: RequestListener): void {
  createServer(listener).listen(port, hostname);
}
