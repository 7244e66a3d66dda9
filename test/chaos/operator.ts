import { setTimeout as sleep } from "node:timers/promises";
import { freshMs } from "../../src/storage/record-cache.ts";
import { codeOf, type Fleet } from "../system/e2e/fleet.ts";
import type { Operate } from "../system/e2e/redis-operator.ts";

/** Issues and revokes keys, and remembers which. */
export interface Operator {
  readonly account: string;
  /** Returns an issued key that nobody has tried to revoke. */
  anyKey(random: () => number): string;
  /** Whether nobody has tried to revoke the key since. */
  isLive(key: string): boolean;
  /** Issues or revokes a key. Fails silently while Redis is away. */
  act(): Promise<void>;
  /** Tries every live key on one server and every revoked key on all of them. */
  verify(): Promise<{ issued: number; lost: number; revoked: number; acceptedAs: string[] }>;
}

const account = "chaos";
/** Milliseconds between two acts. */
const pauseMs = 300;

/** Asks until a server has looked the key up: right after the last fault, Redis may still be too slow for one answer. */
async function decided(ask: () => ReturnType<Fleet["ask"]>): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const code = codeOf(await ask());
    if (code !== "storage_unavailable" || attempt === 600) return code;
    await sleep(100);
  }
}

/**
 * Returns the answer of a server that reached Redis. One that Redis keeps waiting, as on a busy machine, answers from what it knew
 * before, counts that, and keeps to it for `freshMs`.
 */
async function decidedWithRedis(
  fleet: Fleet,
  at: number,
  ask: () => ReturnType<Fleet["ask"]>,
): Promise<string> {
  const alone = async (): Promise<string> => {
    const { text } = await fleet.get(at, "/metrics");
    return (text.match(/^penknife_(?:limit_degraded|storage_errors)_total[ {].*$/gm) ?? []).join("\n");
  };
  for (let attempt = 0; ; attempt++) {
    const before = await alone();
    const code = await decided(ask);
    if (code !== "ok" || attempt === 20 || (await alone()) === before) return code;
    await sleep(2 * freshMs);
  }
}

export async function createOperator(fleet: Fleet, random: () => number): Promise<Operator> {
  /** The id of each key. */
  const ids = new Map<string, string>();
  const issueWith = async (call: Operate): Promise<string> => {
    const { id, key } = await call<{ id: string; key: string }>("keys.issue", { account });
    ids.set(key, id);
    return key;
  };
  await fleet.issueKey(account, { plan: "team", limit: 1_000_000_000 });
  const live = await fleet.operate((call) => Promise.all(Array.from({ length: 5 }, () => issueWith(call))));
  const revoked: string[] = [];

  async function revoke(): Promise<void> {
    const [key = ""] = live.splice(Math.floor(random() * live.length), 1);
    // A failed operation may have revoked the key: it counts neither as live nor as revoked.
    await fleet.operate((call) => call("keys.revoke", { id: ids.get(key) ?? "" }), 1);
    revoked.push(key);
  }
  return {
    account,
    anyKey: (dice) => live[Math.floor(dice() * live.length)] as string,
    isLive: (key) => live.includes(key),
    async act() {
      await sleep(pauseMs);
      try {
        if (live.length > 5 && random() < 0.3) await revoke();
        else live.push(await fleet.operate(issueWith, 1));
      } catch {
        await sleep(pauseMs);
      }
    },
    async verify() {
      let lost = 0;
      const acceptedAs: string[] = [];
      for (const [index, key] of live.entries()) {
        const code = await decided(() => fleet.ask(index % fleet.servers.length, key));
        if (code !== "ok") lost += 1;
      }
      for (const [index, key] of revoked.entries()) {
        // Each check calls from an address of its own, because an address may be refused only thirty times a minute.
        const localAddress = `127.0.${1 + Math.floor(index / 200)}.${1 + (index % 200)}`;
        for (const at of fleet.servers.keys()) {
          const code = await decidedWithRedis(fleet, at, () => fleet.ask(at, key, { localAddress }));
          if (code !== "revoked_key") acceptedAs.push(code);
        }
      }
      return { issued: live.length + revoked.length, lost, revoked: revoked.length, acceptedAs };
    },
  };
}
