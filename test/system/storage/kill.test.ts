import { expect, test } from "vitest";
import { createKeys } from "../../../src/services/access/keys.ts";
import { damageIn } from "../e2e/disk.ts";
import { startChild } from "./child.ts";
import { makeFolder, openTestStore } from "../../support/store.ts";
import { repeats } from "../../support/cases.ts";
import { testRuntime } from "../../support/runtime.ts";

const kills = repeats(20);

test(`kill -9 under load, ${kills} times: no issued key and no usage is lost, and no answer before the last turn is forgotten`, async () => {
  const folder = makeFolder();
  const live = new Set<string>();
  const revoked = new Set<string>();
  let restored = 0;
  let answers = 0;
  let counted = 0;
  for (let round = 0; round < kills; round++) {
    const child = startChild("load", folder);
    // Kill after progress, not after a time: a busy machine makes little progress in a given time.
    await child.said(/^key/);
    await child.said(/^answered/);
    await new Promise((resolve) => setTimeout(resolve, (round * 37) % 160));
    await child.kill();
    const errors = child.lines.filter((line) => line.startsWith("error"));
    expect(errors).toEqual([]);
    const said = child.lines.map((line) => line.split(" ")).filter(([word]) => word === "answered");
    const answered = said.map(([, used]) => Number(used));
    answers += answered.length;
    counted += child.lines.filter((line) => line.startsWith("counted")).length;
    for (const [word, secret = ""] of child.lines.map((line) => line.split(" "))) {
      if (word === "key") live.add(secret);
      if (word === "revoked") revoked.add(secret);
    }

    const { store, errors: reported } = await openTestStore({ driver: "file", path: folder });
    const used = (await store.counters.peek("account:acme"))?.used ?? 0;
    // The last line may be of the turn in which the process died; the one before it is of a completed turn.
    expect(used).toBeGreaterThanOrEqual(answered.at(-2) ?? restored);
    expect(used).toBeLessThanOrEqual((answered.at(-1) ?? restored) + 1);
    restored = used;
    let sum = 0;
    for await (const { ok } of (await store.usage()).read(0, Infinity)) sum += ok;
    // What was added in the last moment may not have been said.
    expect(sum).toBeGreaterThanOrEqual(counted);
    expect(sum).toBeLessThanOrEqual(counted + 1);
    counted = sum;
    const keys = createKeys({
      store,
      runtime: testRuntime({ now: Date.now, random: () => new Uint8Array() }),
      maxKeyDays: 0,
    });
    for (const secret of live) {
      const { code } = await keys.check(secret);
      // A key that was being revoked when the process died may already be revoked.
      if (revoked.has(secret)) expect(code).toBe("revoked_key");
      else expect([undefined, "revoked_key"]).toContain(code);
    }
    expect(reported).toEqual([]);
    await store.close();
    expect(damageIn({ data: folder })).toEqual([]);
  }
  expect(live.size).toBeGreaterThanOrEqual(kills);
  expect(answers).toBeGreaterThanOrEqual(kills);
}, 600_000);
