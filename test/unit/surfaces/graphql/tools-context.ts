import { type Catalog, createCatalog } from "../../../../src/catalog/catalog.ts";
import { ToolError } from "../../../../src/catalog/errors.ts";
import { execute } from "../../../../src/catalog/execute.ts";
import type { Ticket } from "../../../../src/catalog/principal.ts";
import { createRunner, type Runner, type RunResult } from "../../../../src/catalog/run.ts";
import type { GraphqlContext } from "../../../../src/surfaces/graphql/context.ts";
import type { GraphqlDeps } from "../../../../src/surfaces/graphql/deps.ts";
import { tools } from "../../../../src/tools/index.ts";
import { testRuntime } from "../../../support/runtime.ts";

export const catalog: Catalog = createCatalog(tools);

export interface Tried {
  context: GraphqlContext;
  runner: Runner;
  /** The events that the observer received. */
  seen: RunResult[];
  /** Calls sent to a worker, which here is this thread. */
  away(): number;
}

/** The context of the catalogue's resolvers, over the real runner. */
export async function openTools(
  given: { catalog?: Catalog; tickets?: number; inlineBytes?: number; signal?: AbortSignal } = {},
): Promise<Tried> {
  const { tickets = 40, inlineBytes = 65_536, signal = new AbortController().signal } = given;
  const used = given.catalog ?? catalog;
  const seen: RunResult[] = [];
  let away = 0;
  const context = { now: () => 1_700_000_000_000, random: (size: number) => new Uint8Array(size) };
  const runner = createRunner({
    catalog: used,
    admit: async (principal) => ({ principal }),
    async isolate(call) {
      away++;
      return execute(await used.get(call.slug), structuredClone(call), context);
    },
    context,
    inlineBytes,
    runtime: testRuntime({ monotonic: () => 0 }),
    observe: (result) => seen.push(result),
  });
  const counted: Ticket[] = [];
  for (let index = 0; index < tickets; index++) counted.push(await runner.admit({ kind: "local" }));
  let left = 16 * 1024 * 1024;
  return {
    runner,
    seen,
    away: () => away,
    context: {
      deps: { catalog: used, runner, options: { inlineBytes } } as unknown as GraphqlDeps,
      principal: { kind: "local" },
      quota: undefined,
      requestId: "test",
      ip: "127.0.0.1",
      baseUrl: "http://127.0.0.1",
      signal,
      get gone() {
        return signal.aborted;
      },
      nextTicket() {
        const ticket = counted.shift();
        if (ticket === undefined) throw new Error("More runs than were counted");
        return ticket;
      },
      takeResult(size) {
        left -= size;
        if (left < 0) throw new ToolError("memory_exceeded", "Too much at once.");
      },
    },
  };
}
