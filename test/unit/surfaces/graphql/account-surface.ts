import { defaults } from "../../../support/defaults.ts";
import { idleLoop } from "./idle-loop.ts";
import { onTestFinished } from "vitest";
import type { Principal } from "../../../../src/catalog/principal.ts";
import { createRunner } from "../../../../src/catalog/run.ts";
import { createInboxAccess } from "../../../../src/services/inbox/access.ts";
import { createAdmit } from "../../../../src/services/access/admit.ts";
import { createLive } from "../../../../src/services/events/live/live.ts";
import { createOperations } from "../../../../src/surfaces/graphql/create-operations.ts";
import type { GraphqlDeps } from "../../../../src/surfaces/graphql/deps.ts";
import { createSchema } from "../../../../src/surfaces/graphql/schema/schema.ts";
import { createRandom, type ServicesOptions } from "../../services/setup.ts";
import { withSessions } from "../../services/access/sessions/setup.ts";
import { catalog } from "./tools-context.ts";
import { unobserved } from "./unobserved.ts";
import { installation } from "./installation.ts";
import { testRuntime } from "../../../support/runtime.ts";

export interface Answered {
  data: Record<string, unknown> | null;
  /** Code and message of each error. */
  errors: { code: string; message: string; path: string }[];
}

/** The value of one field of the answer. @throws Error if there is no data. */
export function fieldIn<T>({ data, errors }: Answered, name: string): T {
  if (data === null) throw new Error(JSON.stringify(errors));
  return data[name] as T;
}

/** The callers of a test: a credential of the account acme, one of the operator, or none. */
export type Who = "anonymous" | "key" | "session" | "operator";

const schema = createSchema(catalog);
const address = "198.51.100.1";

/** The operations of a server over a store of its own, with the accounts acme and other, and callers of every kind. */
export async function openAccounts(options: ServicesOptions = {}) {
  const services = await withSessions(options);
  const { store, clock, auth, operator, limits, call, signIn } = services;
  const now = () => clock.now;
  const random = createRandom();
  const onFault = (error: unknown): never => {
    throw error;
  };
  const runner = createRunner({
    catalog,
    admit: createAdmit({ limits, ...unobserved, noteLimit: () => {}, runtime: testRuntime({ now }) }),
    isolate: () => Promise.reject(new Error("there is no worker")),
    context: { now, random },
    inlineBytes: 65_536,
    runtime: testRuntime({ monotonic: now }),
    observe: () => {},
  });
  const inbox = createInboxAccess({
    store,
    config: {
      inbox: {
        ...defaults.inbox,
        maxBytes: 1000,
        maxMessages: 10,
        keepDays: 1,
      },
      storage: defaults.storage,
    },
    runtime: testRuntime({ now, monotonic: now, random, report: onFault }),
    onStoreError: onFault,
  });
  const faults: unknown[] = [];
  const deps = {
    options: { basePath: "", inlineBytes: 65_536, anonymous: true },
    catalog,
    runner,
    authenticate: auth.authenticate,
    log: { event: (...news: unknown[]) => faults.push(news) },
    runtime: testRuntime({ now }),
    graphql: {
      introspection: true,
      graphiql: false,
      maxBytes: 1_048_576,
      maxDepth: 10,
      maxAliases: 60,
      maxCost: 5000,
      maxConnections: 10,
      maxSubscriptions: 10,
    },
    admin: async () => operator,
    refusals: auth.refusals,
    live: async () => createLive({ runtime: testRuntime({ random, report: onFault }) }),
    installation,
    inbox,
    ...idleLoop,
  } as unknown as GraphqlDeps;
  const operations = createOperations(deps, (await schema).schema);

  const { key, id: keyId } = await call<{ key: string; id: string }>("keys.issue", { account: "acme" });
  const tokens = {
    anonymous: undefined,
    key,
    session: (await signIn("acme")).token,
    operator: (await signIn()).token,
  };

  /** As over HTTP: authenticates, counts and runs the document. */
  async function ask(
    who: Who | { token: string },
    query: string,
    variables: Record<string, unknown> = {},
    ip = address,
  ): Promise<Answered> {
    const token = typeof who === "string" ? tokens[who] : who.token;
    const principal: Principal = await auth.authenticate({
      authorization: token === undefined ? undefined : `Bearer ${token}`,
      authorizationCount: token === undefined ? 0 : 1,
      xApiKey: false,
      ip,
    });
    const gone = new AbortController();
    onTestFinished(() => gone.abort());
    const outcome = await operations.begin(
      { query, variables, source: JSON.stringify(variables) },
      {
        ticket: await runner.admit(principal),
        requestId: "r1",
        ip,
        baseUrl: "http://localhost",
        signal: gone.signal,
        gone: false,
        mutation: true,
        subscription: true,
      },
    );
    if (outcome.kind === "stream") return { data: {}, errors: [] };
    const { data, errors = [] } =
      outcome.kind === "refused" ? { data: null, errors: outcome.errors } : outcome.result;
    return {
      data: data as Answered["data"],
      errors: errors.map(({ message, path = [], extensions }) => ({
        message,
        code: String(extensions?.["code"]),
        path: path.join("."),
      })),
    };
  }

  return { ...services, ask, tokens, keyId, faults };
}
