import { ToolError } from "../../catalog/errors.ts";
import type { OutputOf } from "../../operations/index.ts";
import type { UsageView } from "../../operations/usage/view.ts";
import type { Source } from "./feed.ts";
import type { Runtime } from "../../runtime.ts";

/** Polls the quotas of watched accounts twice a second, so that a page is less than a second behind. */
export interface UsageTicks {
  /** Reports the current usage of an account, or of all, then every change. Returns a function that stops. */
  watch(account: string | undefined, source: Source<UsageView>): () => void;
}

export interface UsageTicksDeps {
  /** Reads the current quotas. @throws ToolError not_found, storage_unavailable. */
  look(account: string | undefined): Promise<OutputOf<"usage">>;
  runtime: Runtime;
}

interface Watcher {
  readonly source: Source<UsageView>;
  readonly seen: Map<string, UsageView>;
}

const everyMs = 500;
/** A slow store is polled less often. */
const restFactor = 10;
/** Milliseconds by which the end of a window may differ between two readings: Redis reports the remaining time. */
const slackMs = 60_000;

export function createUsageTicks({ look, runtime }: UsageTicksDeps): UsageTicks {
  const watched = new Map<string | undefined, Set<Watcher>>();

  function begin(account: string | undefined): Set<Watcher> {
    const watchers = new Set<Watcher>();
    watched.set(account, watchers);
    void tick(account, watchers);
    return watchers;
  }

  async function tick(account: string | undefined, watchers: Set<Watcher>): Promise<void> {
    for (let restMs = everyMs; ;) {
      await new Promise((resolve) => void setTimeout(resolve, restMs).unref());
      if (watchers.size === 0) return;
      const since = runtime.monotonic();
      const all = [...watchers];
      await report(account, all);
      restMs = Math.max(everyMs, (runtime.monotonic() - since) * restFactor);
    }
  }

  /** Reports the current state to new listeners. */
  async function report(account: string | undefined, watchers: readonly Watcher[]): Promise<void> {
    try {
      const { items } = await look(account);
      for (const view of items) for (const watcher of watchers) note(watcher, view);
    } catch (error) {
      // The store may answer again at the next poll.
      if (error instanceof ToolError && error.code === "storage_unavailable") return;
      for (const { source } of watchers) source.fail(error);
    }
  }

  return {
    watch(account, source) {
      const watchers = watched.get(account) ?? begin(account);
      const watcher: Watcher = { source, seen: new Map() };
      watchers.add(watcher);
      void report(account, [watcher]);
      return () => {
        watchers.delete(watcher);
        if (watchers.size === 0 && watched.get(account) === watchers) watched.delete(account);
      };
    },
  };
}

function note({ source, seen }: Watcher, view: UsageView): void {
  const before = seen.get(view.account);
  if (before !== undefined && isSame(before, view)) return;
  seen.set(view.account, view);
  source.push(view);
}

const isSame = (one: UsageView, other: UsageView): boolean =>
  one.used === other.used &&
  one.limit === other.limit &&
  one.plan === other.plan &&
  Math.abs(timeOf(one) - timeOf(other)) < slackMs;

const timeOf = ({ resetAt }: UsageView): number => (resetAt === null ? 0 : Date.parse(resetAt));
