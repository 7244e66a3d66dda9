import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test, vi } from "vitest";
import { type AuditLine, parseAuditLine } from "../../../../src/storage/audit/line.ts";
import type { Store } from "../../../../src/storage/storage.ts";
import { redisOptions } from "../drivers.ts";
import { makeFolder, openTestStore } from "../../../support/store.ts";
import { startRedis } from "../redis-server.ts";
import { createServices } from "../../../unit/services/setup.ts";
import { repeats } from "../../../support/cases.ts";
import { testRuntime } from "../../../support/runtime.ts";

const fixture = new URL("./audit.fixture.ts", import.meta.url).pathname;
const kills = repeats(12);

/** Lets the process work until it has printed this many words of this kind, then kill -9. Returns all its output. */
async function killAfter(folder: string, word: string, times: number, laterMs: number): Promise<string[]> {
  const child = spawn(process.execPath, [fixture, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  const enough = Promise.withResolvers<void>();
  const reader = createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    if (lines.filter((each) => each.startsWith(word)).length >= times) enough.resolve();
  });
  const ended = Promise.all([once(child, "close"), once(reader, "close")]);
  await Promise.race([enough.promise, ended]);
  await new Promise((resolve) => setTimeout(resolve, laterMs));
  child.kill("SIGKILL");
  await ended;
  return lines;
}

async function linesOf(store: Store): Promise<AuditLine[]> {
  const lines: AuditLine[] = [];
  for await (const { bytes, torn } of (await store.audit()).read()) {
    const line = torn ? undefined : parseAuditLine(Buffer.from(bytes).toString());
    if (line !== undefined) lines.push(line);
  }
  return lines;
}

test(`kill -9 during operations, ${kills} times: no change without a line, and the chain is valid`, async () => {
  const folder = makeFolder();
  const issued = new Set<string>();
  const revoked = new Set<string>();
  for (let round = 0; round < kills; round++) {
    const said = await killAfter(folder, "revoked", 3, (round * 7) % 23);
    expect(said.filter((line) => line.startsWith("error"))).toEqual([]);
    for (const [word, id = ""] of said.map((line) => line.split(" "))) {
      if (word === "issued") issued.add(id);
      if (word === "revoked") revoked.add(id);
    }
    const { store } = await openTestStore({ driver: "file", path: folder });
    const trail = await store.audit();
    expect(await trail.verify()).toMatchObject({ faultCount: 0 });
    const lines = await linesOf(store);
    const done = new Set(
      lines.flatMap(({ act, target, result }) => (result === "done" ? `${act} ${target}` : [])),
    );
    // What was reported as done is in the trail as done.
    for (const id of issued) expect(done).toContain(`keys.issue ${id}`);
    for (const id of revoked) expect(done).toContain(`keys.revoke ${id}`);
    // What was done and never reported has a line for its start, and none for its end.
    const ended = new Set(lines.map(({ of }) => of));
    const unfinished = lines.filter(({ seq, of }) => of === undefined && !ended.has(seq));
    const { records } = await store.keys.all();
    const untold = records.filter(({ id }) => !done.has(`keys.issue ${id}`));
    const gone = records.filter(
      ({ id, revokedAt }) => revokedAt !== undefined && !done.has(`keys.revoke ${id}`),
    );
    expect(untold.length).toBeLessThanOrEqual(unfinished.filter(({ act }) => act === "keys.issue").length);
    for (const { id } of gone) {
      expect(unfinished.some(({ act, target }) => act === "keys.revoke" && target === id)).toBe(true);
    }
    // One process runs one operation at a time.
    expect(unfinished.length).toBeLessThanOrEqual(round + 1);
    await store.close();
  }
  expect(issued.size).toBeGreaterThanOrEqual(3 * kills);
}, 120_000);

test("Redis that does not answer: nothing is done, the wait has an end, and the trail is whole when it answers again", async () => {
  const server = await startRedis();
  onTestFinished(server.close);
  const redis = redisOptions(server.url);
  const { admin, store } = await createServices({
    driver: "redis",
    redis,
    runtime: testRuntime({ now: Date.now }),
  });
  await admin.call("accounts.create", { name: "acme", plan: "pro" });
  const trail = await store.audit();
  // Frozen after the end of the trail was read, which any new line has to follow.
  const pending = admin.call("keys.issue", { account: "acme" });
  server.freeze();
  await expect(pending).rejects.toMatchObject({ code: "storage_unavailable" });
  server.thaw();
  await vi.waitFor(async () => expect(await trail.verify()).toMatchObject({ faultCount: 0 }), {
    timeout: 60_000,
  });
  const { id } = await vi.waitFor(
    async () => (await admin.call("keys.issue", { account: "acme" })) as { id: string },
    { timeout: 60_000 },
  );
  expect(await store.keys.ids()).toEqual([id.slice(4)]);
  const lines = await linesOf(store);
  expect(lines.filter(({ result }) => result === "done").map(({ target = "-" }) => target)).toEqual([
    "-",
    id,
  ]);
  expect(await trail.verify()).toMatchObject({ faultCount: 0 });
});

const isRoot = process.getuid?.() === 0;

test.runIf(isRoot)(
  "a full disk: an operation that cannot be recorded is not done, and the trail continues when there is space",
  async () => {
    const folder = makeFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "none", folder]);
    onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
    const { admin, store } = await createServices({ driver: "file", path: folder });
    await admin.call("accounts.create", { name: "acme", plan: "pro" });
    const ballast = join(folder, "ballast");
    expect(spawnSync("dd", ["if=/dev/zero", `of=${ballast}`]).status).not.toBe(0);
    let refusals = 0;
    // The last page of the trail's file may still take some lines.
    for (let n = 0; n < 40; n++) {
      const outcome = admin.call("keys.issue", { account: "acme" });
      await outcome.catch((error: { code: string; cause?: { reason: string } }) => {
        refusals += 1;
        expect(error.code).toBe("storage_unavailable");
        expect(error.cause?.reason).toContain("no space left");
      });
    }
    expect(refusals).toBe(40);
    expect(await store.keys.ids()).toEqual([]);
    rmSync(ballast);
    await admin.call("keys.issue", { account: "acme" });
    expect(await store.keys.ids()).toHaveLength(1);
    expect(await (await store.audit()).verify()).toMatchObject({ faultCount: 0, notices: [] });
  },
);

test.runIf(isRoot)(
  "a folder that has become read-only: nothing is done, and the reason is reported",
  async () => {
    const folder = makeFolder();
    const { admin, store } = await createServices({ driver: "file", path: folder });
    await admin.call("accounts.create", { name: "acme", plan: "pro" });
    // Over the open files: whatever is opened from now on is found through this mount.
    execFileSync("mount", ["--bind", folder, folder]);
    onTestFinished(() => void spawnSync("umount", ["--lazy", folder], { stdio: "ignore" }));
    execFileSync("mount", ["-o", "remount,ro,bind", folder]);
    await expect(admin.call("accounts.disable", { name: "acme" })).rejects.toMatchObject({
      code: "storage_unavailable",
      cause: { reason: expect.stringContaining("read-only file system") },
    });
    execFileSync("umount", ["--lazy", folder]);
    expect(await store.accounts.get("acme")).toMatchObject({ disabled: false });
    await admin.call("accounts.disable", { name: "acme" });
    expect(await (await store.audit()).verify()).toMatchObject({ faultCount: 0 });
  },
);
