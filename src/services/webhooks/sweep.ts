import { isOwnedBy } from "../access/incarnation.ts";
import { publishExpiringKeys } from "../events/expiring.ts";
import type { Publisher } from "../events/publish.ts";
import type { Seal } from "../../storage/seal.ts";
import { findUnreadable, type Sealed, sealedKinds } from "../../storage/sealed-records.ts";
import type { Collection, Store } from "../../storage/storage.ts";
import type { Wait } from "./alarm.ts";
import type { Endpoints } from "./endpoints.ts";
import type { Runtime } from "../../runtime.ts";

/** The hourly checks of a server. */
export interface Sweep {
  /** Waits for the check in progress. */
  stop(): Promise<void>;
}

export interface SweepDeps {
  store: Pick<Store, "keys" | "accounts" | "endpoints" | "inboxes" | "deliveries" | "takeTurn">;
  endpoints: Pick<Endpoints, "remove">;
  publisher: Publisher;
  seal: Seal;
  runtime: Runtime;
  wait: Wait;
  /** Called with sentences about what the operator has to repair. */
  onNotice(message: string): void;
  onError(error: unknown): void;
}

/** Delay of the first check, so that it does not compete with a start. */
const firstMs = 5000;
const everyMs = 3_600_000;
/** Records read in one step. */
const recordsAtOnce = 500;

export function startSweep(deps: SweepDeps): Sweep {
  const { wait, onNotice, onError } = deps;
  let stopped = false;
  let look: Promise<void> | undefined;
  let cancel = wait(firstMs, next);
  let said = "";

  function next(): void {
    look = lookOnce();
  }

  async function lookOnce(): Promise<void> {
    try {
      // The last hour's message is in the log already.
      const mine = (await deps.store.takeTurn?.("sweep", everyMs)) ?? true;
      const trouble = (await findSealed(deps, mine ? Infinity : recordsAtOnce)).join(" ");
      if (trouble !== said && trouble !== "") onNotice(trouble);
      said = trouble;
      if (mine) {
        await publishExpiringKeys(deps);
        await removeOrphans(deps);
      }
    } catch (error) {
      onError(error);
    }
    if (!stopped) cancel = wait(everyMs, next);
  }

  return {
    async stop() {
      stopped = true;
      cancel();
      await look;
    },
  };
}

/**
 * Removes the endpoints of deleted accounts once nothing waits for them: the last event they receive is the deletion.
 */
export async function removeOrphans(deps: Pick<SweepDeps, "store" | "endpoints">): Promise<void> {
  const { store, endpoints } = deps;
  for await (const record of inSteps(store.endpoints)) {
    const { id, account } = record;
    if (isOwnedBy(record, await store.accounts.get(account))) continue;
    const queue = await store.deliveries();
    const waiting = await queue.list({ endpoint: id, state: "waiting", limit: 1 });
    if (waiting.length === 0) await endpoints.remove(id);
  }
}

async function* inSteps<T>(collection: Collection<T>, maxRecords = Infinity): AsyncIterable<T> {
  let after: string | undefined;
  for (let read = 0; read < maxRecords; read += recordsAtOnce) {
    const { records, next } = await collection.page(after, recordsAtOnce);
    yield* records;
    if (next === undefined) return;
    after = next;
  }
}

/**
 * Returns sentences about records whose secrets cannot be read with the configured key. Each node has a key of its own, so those without the
 * turn look at the first records, at most `maxRecords`.
 */
async function findSealed(
  { store, seal }: Pick<SweepDeps, "store" | "seal">,
  maxRecords: number,
): Promise<string[]> {
  const sentences: string[] = [];
  for (const kind of sealedKinds) {
    const records: Sealed[] = [];
    for await (const { id, secret } of inSteps<Sealed>(store[kind], maxRecords))
      records.push({ id, ...(secret !== undefined && { secret }) });
    const found = findUnreadable(kind, records, seal);
    if (found !== undefined) sentences.push(`${found.message} ${found.action}`);
  }
  return sentences;
}
