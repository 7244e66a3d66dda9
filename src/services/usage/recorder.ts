import { type ErrorCode, errorCodes } from "../../catalog/errors.ts";
import type { Principal } from "../../catalog/principal.ts";
import type { RunResult } from "../../catalog/run.ts";
import { createMutex } from "../../lib/mutex.ts";
import { StoreError, toStoreError } from "../../storage/errors.ts";
import type { UsageBatch, UsageCounts, UsageRow, UsageStore } from "../../storage/usage/usage-store.ts";
import type { Runtime } from "../../runtime.ts";

/** Counts calls in memory and writes them in batches. A kill -9 loses at most ten seconds of counts. */
export interface UsageRecorder {
  run(result: RunResult): void;
  /** Counts requests beyond the quota. */
  limited(principal: Principal, requests: number): void;
  /** Writes all counts so far. Failures go to `onError`. */
  flush(): Promise<void>;
  /** Flushes and stops the timer. */
  close(): Promise<void>;
}

export interface UsageRecorderOptions {
  /** Called with the first batch. */
  open(): Promise<UsageStore>;
  runtime: Runtime;
  onError(error: StoreError): void;
  /** Combinations of account, key and tool counted separately in one interval; others are counted as `(other)`. */
  capacity?: number;
}

/** Names that no account, key or tool can have. */
export const nobody = { account: "(free)", key: "-", tool: "-", other: "(other)" } as const;

const intervalMs = 10_000;
const hourMs = 3_600_000;
/** Batches kept while the store does not answer: one for each hour of an outage. */
const maxWaiting = 24;

interface Caller {
  account: string;
  key: string;
  tools: Map<string, UsageCounts>;
}

/**
 * Every request passes here. A caller and tool already seen in the interval cost two map look-ups and no allocation.
 */
export function createUsageRecorder(options: UsageRecorderOptions): UsageRecorder {
  const { open, runtime, onError, capacity = 5_000 } = options;
  let callers = new Map<string, Caller>();
  let rows = 0;
  let hour = 0;
  let timer: NodeJS.Timeout | undefined;
  const inTurn = createMutex();
  const waiting: UsageBatch[] = [];
  let nodeId = "";
  let batches = 0;

  function countsOf({ keyId, account }: Principal, tool: string): UsageCounts {
    const caller = callers.get(keyId ?? account ?? "");
    return caller?.tools.get(tool) ?? begin(keyId, account, tool);
  }

  function begin(keyId: string | undefined, account: string | undefined, tool: string): UsageCounts {
    if (timer === undefined) arm();
    if (rows === 0) hour = Math.floor(runtime.now() / hourMs) * hourMs;
    const full = rows >= capacity;
    const id = full ? nobody.other : (keyId ?? account ?? "");
    const name = full ? nobody.other : tool;
    let caller = callers.get(id);
    if (caller === undefined) {
      caller = full
        ? { account: nobody.other, key: nobody.other, tools: new Map() }
        : { account: account ?? nobody.account, key: keyId ?? nobody.key, tools: new Map() };
      callers.set(id, caller);
    }
    let counts = caller.tools.get(name);
    if (counts === undefined) {
      counts = { ok: 0, refused: 0, failed: 0, limited: 0, inputBytes: 0, outputBytes: 0, micros: 0 };
      caller.tools.set(name, counts);
      rows += 1;
    }
    return counts;
  }

  /** Ends each batch with its hour at the latest. */
  function arm(): void {
    const time = runtime.now();
    timer = setTimeout(() => void flush(), Math.min(intervalMs, hourMs - (time % hourMs))).unref();
  }

  /** Makes the counts a batch. While an older batch waits, counts of the same hour accumulate instead of queueing. */
  function take(): void {
    if (rows === 0 || (waiting.length > 0 && hour === Math.floor(runtime.now() / hourMs) * hourMs)) return;
    nodeId ||= Buffer.from(runtime.random(8)).toString("hex");
    waiting.push({ id: `${nodeId}-${++batches}`, hour, rows: [...toRows(callers)] });
    callers = new Map();
    rows = 0;
    if (waiting.length <= maxWaiting) return;
    const [lost] = waiting.splice(0, 1);
    onError(
      new StoreError(
        "write",
        `The usage of ${new Date(lost?.hour ?? 0).toISOString()} is lost: the store could not be written for too long.`,
      ),
    );
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    take();
    try {
      const store = await open();
      await drain(store);
      // Counts that accumulated behind the batch that waited.
      take();
      await drain(store);
    } catch (error) {
      onError(toStoreError("write", "The usage", error));
    }
    if (rows + waiting.length > 0 && timer === undefined) arm();
  }

  async function drain(store: UsageStore): Promise<void> {
    for (let [batch] = waiting; batch !== undefined; [batch] = waiting) {
      await store.add(batch);
      waiting.shift();
    }
  }

  /** A flush requested during a flush runs after it, and writes what was counted until then. */
  const flush = (): Promise<void> => inTurn(() => (rows + waiting.length > 0 ? write() : undefined));

  return {
    run({ slug, principal, outcome, duration, inputBytes, outputBytes, composed }) {
      // Each step of a pipeline is counted by itself.
      if (composed === true) return;
      const counts = countsOf(principal, slug);
      if (outcome === "ok") counts.ok += 1;
      else if (isRefusal(outcome)) counts.refused += 1;
      else counts.failed += 1;
      counts.inputBytes += inputBytes;
      counts.outputBytes += outputBytes;
      counts.micros += duration * 1000;
    },
    limited(principal, requests) {
      countsOf(principal, nobody.tool).limited += requests;
    },
    flush,
    async close() {
      await flush();
      clearTimeout(timer);
    },
  };
}

const isRefusal = (outcome: "cancelled" | ErrorCode): boolean =>
  outcome !== "cancelled" && errorCodes[outcome].status < 500;

function* toRows(callers: Map<string, Caller>): Iterable<UsageRow> {
  for (const { account, key, tools } of callers.values()) {
    for (const [tool, counts] of tools)
      yield { account, key, tool, ...counts, micros: Math.round(counts.micros) };
  }
}
