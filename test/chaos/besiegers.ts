import { setTimeout as sleep } from "node:timers/promises";
import { attacks } from "../attacks/attacks.ts";
import type { Fleet } from "../system/e2e/fleet.ts";

export interface Besiegers {
  /** Stops attacking. Resolves five seconds after the current attack has ended. */
  pause(): Promise<void>;
  goOn(): void;
  stop(): Promise<void>;
  count(): number;
}

const quietMs = 5000;

/** Attacks the servers at random. The outcome of an attack is ignored, because servers are killed meanwhile. */
export async function besiege(fleet: Fleet, random: () => number): Promise<Besiegers> {
  const key = await fleet.issueKey("attacker", { plan: "team", limit: 1_000_000_000 });
  let count = 0;
  let going = true;
  let gate: Promise<void> | undefined;
  let open = (): void => {};
  let attack: Promise<unknown> = Promise.resolve();
  const loop = (async () => {
    while (going) {
      await gate;
      const chosen = attacks[Math.floor(random() * attacks.length)];
      const server = fleet.servers[Math.floor(random() * fleet.servers.length)];
      if (chosen === undefined || server === undefined) continue;
      attack = chosen
        .run({ server, key }, `127.20.${Math.floor(count / 200) % 256}.${1 + (count % 200)}`)
        .catch(() => {});
      await attack;
      count++;
      await sleep(20);
    }
  })();
  return {
    async pause() {
      const { promise, resolve } = Promise.withResolvers<void>();
      [gate, open] = [promise, resolve];
      await attack;
      await sleep(quietMs);
    },
    goOn() {
      gate = undefined;
      open();
    },
    async stop() {
      going = false;
      open();
      await loop;
    },
    count: () => count,
  };
}
