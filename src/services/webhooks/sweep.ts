import { isOwnedBy } from "../access/incarnation.ts";
import { publishExpiringKeys } from "../events/expiring.ts";
import type { Publisher } from "../events/publish.ts";
import type { Seal } from "../../storage/seal.ts";
import { findUnreadable, sealedKinds } from "../../storage/sealed-records.ts";
import type { Store } from "../../storage/storage.ts";
import type { Wait } from "./alarm.ts";
import type { Endpoints } from "./endpoints.ts";
import type { Runtime } from "../../runtime.ts";

/** The hourly checks of a server. */
export interface Sweep {
  /** Waits for the check in progress. */
  stop(): Promise<void>;
}

export interface SweepDeps {
  store: Pick<Store, "keys" | "accounts" | "endpoints" | "inboxes" | "deliveries">;
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
      const trouble = (await findSealed(deps)).join(" ");
      if (trouble !== said && trouble !== "") onNotice(trouble);
      said = trouble;
      await publishExpiringKeys(deps);
      await removeOrphans(deps);
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
  const { records } = await store.endpoints.all();
  for (const record of records) {
    const { id, account } = record;
    if (isOwnedBy(record, await store.accounts.get(account))) continue;
    const queue = await store.deliveries();
    const waiting = await queue.list({ endpoint: id, state: "waiting", limit: 1 });
    if (waiting.length === 0) await endpoints.remove(id);
  }
}

/** Returns sentences about records whose secrets cannot be read with the configured key. */
async function findSealed({ store, seal }: Pick<SweepDeps, "store" | "seal">): Promise<string[]> {
  const sentences: string[] = [];
  for (const kind of sealedKinds) {
    const { records } = await store[kind].all();
    const found = findUnreadable(kind, records, seal);
    if (found !== undefined) sentences.push(`${found.message} ${found.action}`);
  }
  return sentences;
}
