import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, type Fleet } from "../e2e/fleet.ts";

/** Issues and revokes keys all the while, and remembers which. */
export interface Operator {
  readonly account: string;
  /** One that was issued and that nobody has tried to revoke. */
  anyKey(random: () => number): string;
  /** Issues a key or revokes one; while Redis is away that fails, and is tried again with another. */
  act(): Promise<void>;
  /** Asks for every key: on one server for those that are live, on each for those that were revoked. */
  verify(): Promise<{ issued: number; lost: number; revoked: number; accepted: number }>;
}

const account = "chaos";
/** Commands are processes: enough of them for a while of load to have old keys and new ones. */
const pauseMs = 150;

export async function createOperator(fleet: Fleet, random: () => number): Promise<Operator> {
  await fleet.admin("accounts", "create", account, "--plan", "team", "--limit", "1000000000");
  const issue = (): Promise<string> => fleet.admin("keys", "issue", "--account", account);
  const live = await Promise.all(Array.from({ length: 5 }, issue));
  const revoked: string[] = [];

  /** Ends with the name of a key, which `keys revoke` takes as well as its id. */
  async function revoke(): Promise<void> {
    const [key = ""] = live.splice(Math.floor(random() * live.length), 1);
    // Where it failed it may have happened all the same: such a key is neither here nor there.
    await fleet.admin("keys", "revoke", await idOf(key));
    revoked.push(key);
  }

  async function idOf(key: string): Promise<string> {
    const { key: found } = JSON.parse(await fleet.admin("keys", "check", key, "--json")) as {
      key: { id: string };
    };
    return found.id;
  }

  return {
    account,
    anyKey: (dice) => live[Math.floor(dice() * live.length)] as string,
    async act() {
      await sleep(pauseMs);
      try {
        if (live.length > 5 && random() < 0.3) await revoke();
        else live.push(await issue());
      } catch {
        await sleep(pauseMs);
      }
    },
    async verify() {
      let [lost, accepted] = [0, 0];
      for (const [index, key] of live.entries()) {
        if (codeOf(await fleet.ask(index % fleet.servers.length, key)) !== "ok") lost += 1;
      }
      for (const [index, key] of revoked.entries()) {
        // From addresses of their own: thirty refusals a minute from one are told to wait.
        const localAddress = `127.0.${1 + Math.floor(index / 200)}.${1 + (index % 200)}`;
        for (const at of fleet.servers.keys()) {
          if (codeOf(await fleet.ask(at, key, { localAddress })) !== "revoked_key") accepted += 1;
        }
      }
      return { issued: live.length + revoked.length, lost, revoked: revoked.length, accepted };
    },
  };
}
