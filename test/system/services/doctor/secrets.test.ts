import { describe, expect, test } from "vitest";
import { checkRecords } from "../../../../src/services/doctor/records.ts";
import { checkRedis } from "../../../../src/services/doctor/redis.ts";
import type { Finding } from "../../../../src/services/doctor/finding.ts";
import { createSeal } from "../../../../src/storage/seal.ts";
import type { Store } from "../../../../src/storage/storage.ts";
import { createRandom } from "../../../unit/services/setup.ts";
import { redisOptions, sharedRedis } from "../../storage/drivers.ts";
import { account, endpoint, inbox } from "../../../support/records.ts";
import { makeFolder, openTestStore } from "../../../support/store.ts";
import { flip, putText } from "../../../support/stored-records.ts";
import { deps, settings, findingOf, troubles } from "../../../unit/services/doctor/settings.ts";

const key = "ab".repeat(32);
const id = (digit: string, length = 24): string => digit.repeat(length);

/** Two endpoints and two inboxes, all but one with a secret. */
async function fill(store: Store, sealed: readonly string[]): Promise<void> {
  const seal = createSeal({ key, random: createRandom() });
  const secretOf = (name: string): string =>
    sealed.includes(name) ? seal.close("whsec_abcdefgh", name) : "whsec_abcdefgh";
  await store.accounts.set("acme", account("acme"));
  for (const digit of ["0", "1"])
    await store.endpoints.set(id(digit), endpoint(id(digit), { secret: secretOf(`we_${id(digit)}`) }));
  const one = inbox(id("2", 32), { scheme: "penknife", secret: secretOf(`in_${id("2", 32)}`) });
  await store.inboxes.set(id("2", 32), one);
  await store.inboxes.set(id("3", 32), inbox(id("3", 32)));
}

interface Look {
  findings(encryptionKey: string): Promise<Finding[]>;
}

async function lookAt(driver: "file" | "redis", work: (store: Store) => Promise<void>): Promise<Look> {
  if (driver === "file") {
    const path = makeFolder();
    const { store } = await openTestStore({ driver, path });
    await work(store);
    await store.close();
    return { findings: (encryptionKey) => checkRecords(path, encryptionKey) };
  }
  const redis = redisOptions((await sharedRedis()).url);
  const { store } = await openTestStore({ driver, redis });
  await work(store);
  const { storage } = settings({ storage: { driver: "redis", ...redis } });
  return { findings: (encryptionKey) => checkRedis({ ...storage, encryptionKey }, deps()) };
}

const ours = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ check }) => /secrets|webhooks/.test(check))
    .map(({ level, check }) => `${level} ${check}`);

describe.each(["file", "redis"] as const)("with the %s driver", (driver) => {
  test("without an endpoint there is no finding", async () => {
    const { findings } = await lookAt(driver, (store) => store.accounts.set("acme", account("acme")));
    expect(ours(await findings(key))).toEqual([]);
  });

  test("secrets in clear are reported, and a note once there is a key", async () => {
    const { findings } = await lookAt(driver, (store) => fill(store, []));
    expect(findingOf(await findings(""), "storage.secrets")).toContain(
      "3 of 3 secrets of endpoints and inboxes are stored in clear, readable only by the owner of the store.",
    );
    expect(ours(await findings(key))).toEqual(["note storage.secrets"]);
  });

  test("encrypted secrets need their key", async () => {
    const names = [`we_${id("0")}`, `we_${id("1")}`, `in_${id("2", 32)}`];
    const { findings } = await lookAt(driver, (store) => fill(store, names));
    expect(ours(await findings(key))).toEqual(["ok storage.secrets"]);
    expect(ours(await findings(""))).toEqual(["error storage.secrets", "error storage.secrets"]);
    const without = findingOf(await findings(""), "storage.secrets");
    expect(without).toContain(
      `The secrets of 2 of 2 endpoints are encrypted, and storage.encryptionKey is not set (we_${id("0")}, …). Nothing is sent to them`,
    );
    expect(without).toContain("The secrets of 1 of 2 inboxes");
    expect(findingOf(await findings("cd".repeat(32)), "storage.secrets")).toContain("with another key");
  });

  test("a disabled endpoint is a warning", async () => {
    const { findings } = await lookAt(driver, async (store) => {
      await fill(store, []);
      const disabled = {
        state: "disabled",
        disabledReason: "gone",
        disabledAt: "2026-11-21T00:00:00.000Z",
      } as const;
      await store.endpoints.set(id("1"), endpoint(id("1"), disabled));
    });
    expect(findingOf(await findings(""), "webhooks.endpoints")).toMatch(
      new RegExp(`^1 of 2 endpoints is disabled: we_${id("1")} \\(gone\\)\\. .*webhooks resume`),
    );
  });
});

test("damaged records are named", async () => {
  const path = makeFolder();
  const { store } = await openTestStore({ driver: "file", path });
  await fill(store, []);
  await store.close();
  flip(path, `endpoints:${id("0")}`);
  putText(path, `inboxes:${id("4", 32)}`, JSON.stringify(inbox(id("5", 32))));
  const findings = await checkRecords(path);
  expect(troubles(findings)).toContain("error storage.records");
  expect(findingOf(findings, "storage.records")).toContain(`endpoints/${id("0")}, inboxes/${id("4", 32)}`);
});
