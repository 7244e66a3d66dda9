import { defaults } from "../../../support/defaults.ts";
import { idleLoop } from "./idle-loop.ts";
import { expect, onTestFinished } from "vitest";
import type { Principal } from "../../../../src/catalog/principal.ts";
import { createRunner } from "../../../../src/catalog/run.ts";
import { createInboxAccess } from "../../../../src/services/inbox/access.ts";
import { createAdmit } from "../../../../src/services/access/admit.ts";
import { createLimits } from "../../../../src/services/access/limits.ts";
import { openOperator } from "../../../../src/operations/open-operator.ts";
import type { StoreOptions } from "../../../../src/storage/storage.ts";
import { createOperations } from "../../../../src/surfaces/graphql/create-operations.ts";
import type { GraphqlDeps } from "../../../../src/surfaces/graphql/deps.ts";
import type { FormattedResult } from "../../../../src/surfaces/graphql/operations.ts";
import { loadOperations } from "../../../../src/operations/index.ts";
import { createParts } from "../../../../src/surfaces/graphql/schema/parts.ts";
import { assemble } from "../../../../src/surfaces/graphql/schema/schema.ts";
import { createRandom } from "../../services/setup.ts";
import { account } from "../../../support/records.ts";
import { openTestStore } from "../../../support/store.ts";
import { catalog } from "./tools-context.ts";
import { unobserved } from "./unobserved.ts";
import { installation } from "./installation.ts";
import { testRuntime } from "../../../support/runtime.ts";

export interface Refusal {
  code: string;
  message: string;
  pointer?: string;
}

// oxlint-disable-next-line typescript/no-explicit-any
export type Data = any;

/** Callers of every kind, of the accounts acme and other. */
export const who = {
  anonymous: { kind: "anonymous", ip: "198.51.100.1" },
  key: { kind: "key", account: "acme", plan: "pro", keyId: "key_0123456789abcdef0123" },
  session: { kind: "session", account: "acme", plan: "pro", sessionId: "ses_0123456789abcdef0123" },
  other: { kind: "session", account: "other", plan: "pro", sessionId: "ses_00000000000000000001" },
  operator: { kind: "session", operator: true, sessionId: "ses_00000000000000000002" },
} as const satisfies Record<string, Principal>;

export type Who = keyof typeof who;

const schema = assemble(createParts([], await loadOperations()));

/** The services behind the operations of a server, with a node of live events, over a store of its own. */
export async function openLiveSurface({
  sends = true,
  inboxes = true,
  ...options
}: Partial<StoreOptions> & { sends?: boolean; inboxes?: boolean } = {}) {
  const random = createRandom();
  const onFault = (error: unknown): never => {
    throw error;
  };
  const now = Date.now;
  const { store: own } = await openTestStore({ runtime: testRuntime({ now }), ...options });
  const operator = openOperator({
    store: own,
    config: {
      auth: defaults.auth,
      graphql: defaults.graphql,
      storage: defaults.storage,
      webhooks: { ...defaults.webhooks, enabled: sends, allowCidrs: ["127.0.0.0/8"] },
    },
    sending: "here",
    runtime: testRuntime({ now, random, report: onFault }),
    release: () => "1.2.3",
    onLost: onFault,
  });
  onTestFinished(() => operator.close());
  const { store } = operator;
  for (const name of ["acme", "other"]) await store.accounts.set(name, account(name));
  const [live, outbox, admin] = await Promise.all([operator.live(), operator.outbox(), operator.admin()]);
  const limits = createLimits({ store, runtime: testRuntime({ now }) });
  const inbox = createInboxAccess({
    store,
    config: {
      inbox: {
        ...defaults.inbox,
        enabled: inboxes,
        keepDays: 1,
      },
      storage: defaults.storage,
    },
    runtime: testRuntime({ now, monotonic: () => performance.now(), random, report: onFault }),
    onStoreError: onFault,
  });
  const runner = createRunner({
    catalog,
    admit: createAdmit({
      limits,
      ...unobserved,
      noteLimit: operator.noteLimit,
      runtime: testRuntime({ now }),
    }),
    isolate: () => Promise.reject(new Error("there is no worker")),
    context: { now, random },
    inlineBytes: 65_536,
    runtime: testRuntime({ monotonic: now }),
    observe: () => {},
  });
  const faults: unknown[] = [];
  const graphql = { introspection: true, maxDepth: 10, maxAliases: 60, maxCost: 1_000_000 };
  const operations = createOperations(
    {
      options: { basePath: "", inlineBytes: 65_536, anonymous: true },
      catalog,
      runner,
      log: { event: (...news: unknown[]) => faults.push(news) },
      runtime: testRuntime({ now, monotonic: () => performance.now() }),
      graphql,
      admin: operator.admin,
      live: operator.live,
      installation,
      ...(inbox !== undefined && { inbox }),
      ...idleLoop,
    } as unknown as GraphqlDeps,
    schema,
  );
  onTestFinished(() => expect(faults).toEqual([]));

  const begin = async (name: Who, query: string, variables: Record<string, unknown>, signal: AbortSignal) =>
    operations.begin(
      { query, variables, source: JSON.stringify(variables) },
      {
        // Everyone has just signed in.
        ticket: { principal: { ...who[name], signedInAt: now() } },
        requestId: "r1",
        ip: "198.51.100.1",
        baseUrl: "https://tools.example.com/base",
        signal,
        get gone() {
          return signal.aborted;
        },
        mutation: true,
        subscription: true,
      },
    );

  /** The answer to a query or a mutation. */
  async function ask(name: Who, query: string, variables: Record<string, unknown> = {}) {
    const outcome = await begin(name, query, variables, new AbortController().signal);
    if (outcome.kind === "stream") throw new Error("a stream");
    const result = outcome.kind === "refused" ? { data: null, errors: outcome.errors } : outcome.result;
    return { data: plain(result.data), errors: refusalsOf(result) };
  }

  /** The data, without errors. */
  async function get(name: Who, query: string, variables: Record<string, unknown> = {}): Promise<Data> {
    const { data, errors } = await ask(name, query, variables);
    expect(errors).toEqual([]);
    return data;
  }

  /** A subscription that is read until it is left. */
  async function subscribe(name: Who, query: string, variables: Record<string, unknown> = {}) {
    const leaving = new AbortController();
    const outcome = await begin(name, query, variables, leaving.signal);
    if (outcome.kind !== "stream") {
      const result = outcome.kind === "refused" ? { data: null, errors: outcome.errors } : outcome.result;
      return { refused: refusalsOf(result) };
    }
    const { results } = outcome;
    onTestFinished(() => void results.return(undefined));
    return { results, leave: () => leaving.abort() };
  }

  return { store, live, outbox, admin, limits, inbox, operations, ask, get, subscribe };
}

/** Reads continuously; `values` is what has arrived. */
export function readAll(results: AsyncGenerator<FormattedResult, void>) {
  const reading = { values: [] as Data[], errors: [] as Refusal[], over: false };
  const read = async (): Promise<void> => {
    for await (const result of results) {
      if (result.errors === undefined) reading.values.push(plain(result.data));
      else reading.errors.push(...refusalsOf(result));
    }
    reading.over = true;
  };
  return Object.assign(reading, { end: read() });
}

function refusalsOf({ errors = [] }: Pick<FormattedResult, "errors">): Refusal[] {
  return errors.map(({ message, extensions = {} }) => {
    const places = extensions["errors"] as { pointer?: string }[] | undefined;
    const pointer = places?.[0]?.pointer;
    return { message, code: String(extensions["code"]), ...(pointer !== undefined && { pointer }) };
  });
}

/** As serialized for the network. */
const plain = (data: unknown): Data => JSON.parse(JSON.stringify(data ?? null));
