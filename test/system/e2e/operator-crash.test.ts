import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { damageIn, createDisks } from "./disk.ts";
import { issueKey, serve } from "./harness.ts";
import { type Issued, openSocket, requestsOf, type Socket, startLoad, usedOf } from "./operate.ts";
import { repeats } from "../../support/cases.ts";

const kills = repeats(8);

/** Acknowledged results, which must survive. */
interface Acknowledged {
  /** By key: `ok`, or the error code. */
  keys: Map<string, string>;
  /** Whether it is disabled. */
  accounts: Map<string, boolean>;
  acts: number;
}

/** Performs acts until the server is gone; the last one is not acknowledged. */
async function administer(socket: Socket, round: number, acknowledged: Acknowledged): Promise<void> {
  async function act<T>(operation: string, args: object): Promise<T> {
    const result = await socket.call<T>(operation, args);
    acknowledged.acts += 1;
    return result;
  }

  for (let n = 0; ; n++) {
    const name = `a${round}-${n}`;
    await act("accounts.create", { name, plan: "pro" });
    acknowledged.accounts.set(name, false);
    const first = await act<Issued>("keys.issue", { account: name });
    acknowledged.keys.set(first.key, "ok");
    const second = await act<Issued>("keys.issue", { account: name });
    acknowledged.keys.set(second.key, "ok");
    acknowledged.keys.delete(first.key);
    const third = await act<Issued>("keys.rotate", { id: first.id });
    acknowledged.keys.set(first.key, "revoked_key").set(third.key, "ok");
    acknowledged.keys.delete(second.key);
    await act("keys.revoke", { id: second.id });
    acknowledged.keys.set(second.key, "revoked_key");
    acknowledged.accounts.delete(name);
    acknowledged.keys.delete(third.key);
    await act("accounts.disable", { name });
    acknowledged.accounts.set(name, true);
    acknowledged.keys.set(third.key, "account_disabled");
  }
}

async function expectAcknowledged(socket: Socket, acknowledged: Acknowledged): Promise<void> {
  for (const [key, wanted] of acknowledged.keys) {
    const { code = "ok" } = await socket.call<{ code?: string }>("keys.check", { key });
    expect(code).toBe(wanted);
  }
  for (const [name, wanted] of acknowledged.accounts)
    expect(await socket.call("accounts.show", { name })).toMatchObject({ name, disabled: wanted });
  expect(await socket.call("audit.verify")).toMatchObject({ faultCount: 0 });
  const { items } = await socket.call<{ items: { result: string }[] }>("audit.list", { limit: 1_000 });
  expect(items.filter(({ result }) => result === "done").length).toBeGreaterThanOrEqual(acknowledged.acts);
}

it(`keeps every acknowledged act across ${kills} kill -9, and usage except for the last ten seconds`, async () => {
  const disks = createDisks();
  onTestFinished(disks.close);
  const disk = disks.plain();
  const acknowledged: Acknowledged = { keys: new Map(), accounts: new Map(), acts: 0 };
  let server = await serve(disk.cwd);
  onTestFinished(() => void server.stop("SIGKILL"));
  const key = await issueKey(disk.cwd, "loaded", "team", ["--limit", "1000000"]);
  let [answered, sent, written] = [0, 0, 0];
  for (let round = 0; round < kills; round++) {
    const socket = await openSocket(disk.cwd);
    const load = startLoad(server, key);
    const work = administer(socket, round, acknowledged).catch((error: Error) => error.message);
    // Kill after progress, not after a time: a busy machine does little in a time.
    const enough = acknowledged.acts + 2 + ((round * 5) % 9);
    await expect.poll(() => acknowledged.acts, { interval: 5 }).toBeGreaterThan(enough);
    await expect.poll(load.answered, { interval: 5 }).toBeGreaterThan(2);
    // A minute later, everything counted until now is written.
    written = await requestsOf(socket, "loaded");
    await sleep((round * 13) % 40);
    await server.stop("SIGKILL");
    await load.stop();
    expect(await work).toMatch(/ended the connection/);
    expect(load.others).toEqual([]);
    answered += load.answered();
    sent += load.sent();

    server = await serve(disk.cwd);
    expect(damageIn(disk)).toEqual([]);
    const again = await openSocket(disk.cwd);
    await expectAcknowledged(again, acknowledged);
    const used = await usedOf(again, "loaded");
    expect([used >= answered, used <= sent], `${answered} ≤ ${used} ≤ ${sent}`).toEqual([true, true]);
    const requests = await requestsOf(again, "loaded");
    expect([requests >= written, requests <= sent], `${written} ≤ ${requests} ≤ ${sent}`).toEqual([
      true,
      true,
    ]);
    again.close();
  }
  expect(acknowledged.keys.size).toBeGreaterThan(kills);
  expect(written).toBeGreaterThan(kills);
}, 600_000);
