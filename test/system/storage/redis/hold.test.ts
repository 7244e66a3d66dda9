import { kill } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Lease } from "../../../../src/storage/lease.ts";
import { startChild } from "../child.ts";
import { sharedRedis } from "../drivers.ts";
import { connect } from "./connection.ts";
import { openHold } from "./open-hold.ts";

const fixture = new URL("./lease-holder.ts", import.meta.url).pathname;
const leaseMs = 1500;
let stores = 0;

async function open(prefix: string, patienceMs = 20_000) {
  const { url } = await sharedRedis();
  return await openHold(await connect(url, prefix), { leaseMs, patienceMs });
}

const newPrefix = (): string => `penknife:hold${++stores}:`;

/** Runs this file's fixture, which says `held TOKEN`, then writes when it is told to. */
async function startHolder(prefix: string) {
  const { url } = await sharedRedis();
  const child = startChild("hold", JSON.stringify({ url, prefix, leaseMs }), { fixture });
  await child.said(/^held/);
  return child;
}

test("a holder that is stopped beyond the end of its lease changes nothing afterwards", async () => {
  const prefix = newPrefix();
  const child = await startHolder(prefix);
  kill(child.pid, "SIGSTOP");
  const { hold, texts } = await open(prefix);
  // Waits for the end of the lease that the stopped process has.
  const written = await hold("acme", (lease) =>
    texts.swap("keys:next", { before: null, after: "{}", lease }),
  );
  expect(written).toBe("done");
  child.write("go\n");
  kill(child.pid, "SIGCONT");
  expect(await child.said(/^wrote/)).toBe("wrote late");
  expect(await child.said(/^(?:done|refused)/)).toBe("refused overloaded");
  expect((await texts.read("keys:late")).text).toBeNull();
});

test("a holder that works has its lease for as long as it takes", async () => {
  const prefix = newPrefix();
  const child = await startHolder(prefix);
  await sleep(2 * leaseMs);
  child.write("go\n");
  expect(await child.said(/^wrote/)).toBe("wrote done");
  expect(await child.said(/^(?:done|refused)/)).toBe("done");
});

test("the lease of a process that was killed ends by itself", async () => {
  const prefix = newPrefix();
  const child = await startHolder(prefix);
  await child.kill();
  const { hold } = await open(prefix);
  expect(await hold("acme", async ({ token }) => token)).toBe(2);
});

test("holders over several connections exclude one another, each with a higher token", async () => {
  const prefix = newPrefix();
  const nodes = await Promise.all([open(prefix), open(prefix), open(prefix)]);
  let inside = 0;
  const tokens: number[] = [];
  const work = async ({ token }: Lease): Promise<void> => {
    inside += 1;
    expect(inside).toBe(1);
    tokens.push(token);
    await sleep(1);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 30 }, (_, at) => nodes[at % nodes.length]?.hold("acme", work)));
  expect(tokens).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
});

test("a process with many changes leaves turns to others", async () => {
  const prefix = newPrefix();
  const [busy, other] = await Promise.all([open(prefix), open(prefix)]);
  const order: string[] = [];
  const changes = Array.from({ length: 60 }, () =>
    busy.hold("acme", async () => {
      order.push("busy");
      await sleep(5);
    }),
  );
  await sleep(20);
  await other.hold("acme", async () => void order.push("other"));
  await Promise.all(changes);
  expect(order.indexOf("other")).toBeLessThan(60);
});

test("a caller who waits in vain is asked to try again", async () => {
  const prefix = newPrefix();
  const [one, other] = await Promise.all([open(prefix), open(prefix, 50)]);
  await one.hold("acme", async () => {
    await expect(other.hold("acme", async () => {})).rejects.toMatchObject({
      code: "overloaded",
      message: "The account acme is being changed by others at the same time. Try again.",
    });
    // Other accounts do not wait.
    await other.hold("emca", async () => {});
  });
});

test("a write is refused by the end of its lease alone, and by its token alone", async () => {
  const prefix = newPrefix();
  const { hold, texts } = await open(prefix);
  const { command } = await sharedRedis();
  const write = (lease: Lease) => texts.swap("keys:any", { before: undefined, after: "{}", lease });
  await hold("acme", async (lease) => {
    expect(await write({ ...lease, until: 1 })).toBe("late");
    expect(await write({ ...lease, token: lease.token - 1 })).toBe("late");
    expect(await write(lease)).toBe("done");
    // As after a failover that lost it.
    await command("DEL", `${prefix}lease:acme`);
    expect(await write(lease)).toBe("late");
  }).catch((error: { code: string }) => expect(error.code).toBe("overloaded"));
});
