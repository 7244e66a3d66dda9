import { describe, expect, test } from "vitest";
import { createAuth } from "../../../../../src/services/access/auth.ts";
import { letIn } from "../../../../../src/services/access/refusals.ts";
import { minuteMs } from "../../../../../src/storage/key-uses.ts";
import { createKeyUseRecorder } from "../../../../../src/services/usage/key-uses.ts";
import { refusalOf } from "../../setup.ts";
import { ip, minute, withSessions } from "./setup.ts";
import { testRuntime } from "../../../../support/runtime.ts";

/** Two nodes over one store, each with a recorder of its own, and a session of acme. */
async function withNodes() {
  const services = await withSessions();
  const { store, clock, signIn } = services;
  const now = () => clock.now;
  let reads = 0;
  const counting = {
    ...store,
    async keyUses() {
      const uses = await store.keyUses();
      return {
        ...uses,
        read(ids?: readonly string[]) {
          reads += 1;
          return uses.read(ids);
        },
      };
    },
  };
  const [a, b] = [1, 2].map(() => {
    const recorder = createKeyUseRecorder({
      open: store.keyUses,
      runtime: testRuntime({ now }),
      onError: ({ reason }) => expect.unreachable(reason),
    });
    const auth = createAuth({
      store: counting,
      anonymous: true,
      runtime: testRuntime({ now }),
      onUse: recorder.note,
    });
    const call = async (from = ip) =>
      auth.authenticate({
        authorization: `Bearer ${token}`,
        authorizationCount: 1,
        xApiKey: false,
        ip: from,
      });
    return { call, flush: recorder.flush };
  });
  const { id, token } = await signIn("acme");
  if (a === undefined || b === undefined) throw new Error("two nodes were made");
  return { ...services, a, b, id, token, reads: () => reads };
}

describe("an idle session", () => {
  test("ends for good after half an hour, and requests keep it alive without reading the store", async () => {
    const { a, clock, reads } = await withNodes();
    for (let n = 0; n < 4; n++) {
      clock.now += 29 * minute;
      await a.call();
    }
    expect(reads()).toBe(0);
    await a.flush();
    clock.now += 33 * minute;
    expect(await refusalOf(() => a.call())).toMatchObject({ code: "expired_key" });
    expect(reads()).toBe(1);
    clock.now += minute;
    expect(await refusalOf(() => a.call())).toMatchObject({ code: "expired_key" });
  });

  test("stays alive while another node is used", async () => {
    const { a, b, clock } = await withNodes();
    await b.call();
    for (let n = 0; n < 3; n++) {
      clock.now += 25 * minute;
      await a.call();
      await a.flush();
    }
    expect(await b.call()).toMatchObject({ kind: "session", account: "acme" });
    clock.now += 33 * minute;
    expect(await refusalOf(() => b.call())).toMatchObject({ code: "expired_key" });
  });

  test("is not kept alive by an open connection", async () => {
    const { a, clock } = await withNodes();
    await a.call();
    await a.flush();
    for (let n = 0; n < 32; n++) {
      clock.now += minute;
      if (n < 31) await a.call(letIn);
    }
    clock.now += minute;
    expect(await refusalOf(() => a.call(letIn))).toMatchObject({ code: "expired_key" });
  });

  test("is reported as expired, with the minute of its last use", async () => {
    const { a, id, call, clock } = await withNodes();
    clock.now += 90_500;
    await a.call();
    await a.flush();
    const used = Math.floor(clock.now / minuteMs) * minuteMs;
    const view = () => call("sessions.show", { id });
    expect(await view()).toMatchObject({ state: "live", lastUsedAt: new Date(used).toISOString() });
    clock.now += 33 * minute;
    expect(await view()).toMatchObject({ state: "expired" });
    expect(await call("sessions.list")).toMatchObject({ items: [{ id, state: "expired" }] });
  });

  test("leaves nothing of its uses a day after its end", async () => {
    const { a, id, issue, clock, store } = await withNodes();
    await a.call();
    await a.flush();
    const uses = await store.keyUses();
    expect((await uses.read([id])).last.size).toBe(1);
    clock.now += 33 * 60 * minute;
    await issue("acme");
    expect((await uses.read([id])).last.size).toBe(0);
  });
});
