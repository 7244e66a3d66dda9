import { describe, expect, it } from "vitest";
import { damageIn, type Disk, fill, free, mountRefusal } from "./disk.ts";
import { adminIn, dataOf, signIn } from "./graphql-client.ts";
import { call, penknife, type Server } from "./harness.ts";
import {
  admin,
  codeWith,
  eventsOf,
  expectAllWorks,
  expectRefusals,
  filesOf,
  journaled,
  metricOf,
  openSocket,
  prepare,
  readiness,
  requestsOf,
  revocation,
  startInVain,
  startLoad,
  usedOf,
} from "./operate.ts";
import { createServersOnDisks } from "./servers-on-disks.ts";

const mib = 1024 * 1024;
const { disks, start: startOn } = createServersOnDisks();
const start = ({ cwd }: Disk): Promise<Server> => startOn(cwd, { PENKNIFE_LOG_FORMAT: "json" });

const refusal = mountRefusal();
if (refusal !== undefined)
  process.stderr.write(`tests of a full disk skipped: cannot mount a file system (${refusal})\n`);
it.runIf(process.env.TEST_MACHINE === "required")("finds a disk to mount where one is required", () =>
  expect(refusal).toBeUndefined(),
);

describe.runIf(refusal === undefined)("a full disk", () => {
  it("answers and counts requests, refuses changes except revocations, and recovers by itself", async () => {
    const disk = disks.small(mib);
    const all = await prepare(disk, await start(disk));
    const { server, key, socket } = all;
    const load = startLoad(server, key, 40);
    await expect.poll(load.answered).toBeGreaterThan(30);
    fill(disk);
    await expect.poll(() => readiness(server)).toMatch(/^200 .*"degraded","reason":"The disk of the store /);
    const kept = journaled(disk, "loaded");
    await expectRefusals(disk, all, /no space left/, true);
    const answered = load.answered();
    expect(await usedOf(socket, "loaded")).toBeGreaterThanOrEqual(answered);
    expect(answered).toBeGreaterThan(kept);
    expect(await metricOf(server, "penknife_storage_errors_total", '"journal"')).toBeGreaterThan(0);
    expect(await metricOf(server, "penknife_storage_errors_total", '"write"')).toBeGreaterThan(0);
    // This change must be written, which fails now.
    await requestsOf(socket, "loaded");

    free(disk);
    await expect.poll(() => readiness(server)).toBe('200 {"status":"ready"}');
    expect(journaled(disk, "loaded")).toBeGreaterThanOrEqual(answered);
    await expectAllWorks(disk, all);
    await load.stop();
    expect(load.others).toEqual([]);
    expect(await usedOf(socket, "loaded")).toBe(load.sent());
    expect(await requestsOf(socket, "loaded")).toBe(load.sent());

    const events = eventsOf(server);
    const failed = events.filter((line) => line.includes('"the store failed"'));
    expect(failed.join("\n")).toMatch(/There is no space left for \S+counters\.log\. Free some space/);
    // Fewer than one line per request or attempt.
    expect(failed.length).toBeLessThan(30);
    expect(events.join("\n")).toContain("counters.log is written again");

    await server.stop("SIGKILL");
    await start(disk);
    const again = await openSocket(disk.cwd);
    expect(await usedOf(again, "loaded")).toBe(load.sent());
    expect(await requestsOf(again, "loaded")).toBe(load.sent());
    again.close();
  });

  it("reserves room for administration from inbox messages, and a key can be revoked over every surface", async () => {
    const disk = disks.small(16 * mib);
    const { server, key, socket, leaked, old, doomed } = await prepare(disk, await start(disk));
    const { token } = await signIn(server, adminIn(disk.cwd));
    const made = await call(`${server.url}/api/inboxes`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: '{"name":"big"}',
    });
    const { url } = JSON.parse(made.text) as { url: string };
    const codes: number[] = [];
    // More than the disk has room for.
    const messages = 24;
    for (let n = 0; n < messages; n++) {
      const { status } = await call(url.replace(/^.*\/inbox/, `${server.url}/inbox`), {
        method: "POST",
        body: Buffer.alloc(mib, `${n} `),
      });
      codes.push(status);
    }
    const kept = codes.indexOf(503);
    expect(kept).toBeGreaterThan(5);
    expect(codes.slice(kept)).toEqual(Array.from({ length: messages - kept }, () => 503));
    expect(await readiness(server)).toBe("200 " + JSON.stringify({ status: "ready" }));
    expect(await metricOf(server, "penknife_storage_free_bytes")).toBeGreaterThan(mib);
    expect((await admin(disk.cwd, "keys issue --account ci")).status).toBe(0);

    // Another process now fills the disk completely.
    fill(disk);
    expect(await readiness(server)).toMatch(/^200 .*"reason":"The disk of the store is full\./);
    expect(await metricOf(server, "penknife_storage_low")).toBe(1);
    expect(await revocation(disk, server, leaked)).toEqual({ status: 0, stderr: "", code: "revoked_key" });
    const over = await dataOf(server, `mutation { revokeKey(id: "${doomed.id}") { state } }`, {
      token,
    });
    expect(over).toMatchObject({ revokeKey: { state: expect.stringMatching(/revoked/i) } });
    expect(await codeWith(server, doomed.key)).toBe("revoked_key");
    await expect(socket.call("login")).rejects.toThrow(/no space left/i);
    const doctor = await penknife(disk.cwd, ["doctor"]);
    expect([doctor.status, doctor.stdout]).toEqual([
      1,
      expect.stringMatching(/error\tstorage\.space\tOnly 0 MiB are free/),
    ]);

    // The same without a server.
    await server.stop("SIGKILL");
    socket.close();
    const alone = await admin(disk.cwd, `keys revoke ${old.id}`);
    expect([alone.status, alone.stdout]).toEqual([0, expect.stringContaining("revoked")]);
    expect((await admin(disk.cwd, `accounts disable ci`)).status).toBe(0);
    expect((await admin(disk.cwd, "keys issue --account ci")).status).toBe(3);
    free(disk);
    const again = await start(disk);
    for (const one of [leaked, old]) expect(await codeWith(again, one.key)).toBe("revoked_key");
    expect(await codeWith(again, doomed.key)).toBe("revoked_key");
    expect(damageIn(disk)).toEqual([]);
  }, 120_000);

  it("loses in a kill -9 what it could not write, reports that at the start and changes nothing", async () => {
    const disk = disks.small(mib);
    const { server, key, socket, leaked } = await prepare(disk, await start(disk));
    await socket.call("keys.revoke", { id: leaked.id });
    for (let n = 0; n < 20; n++) expect(await codeWith(server, key)).toBe("ok");
    fill(disk);
    const load = startLoad(server, key, 40);
    await expect.poll(() => readiness(server)).toMatch(/^200 .*"degraded","reason":"The disk of the store /);
    await expect
      .poll(() => metricOf(server, "penknife_storage_errors_total", '"journal"'), { timeout: 60_000 })
      .toBeGreaterThan(0);
    const answered = load.answered();
    await expect.poll(load.answered, { timeout: 60_000 }).toBeGreaterThan(answered + 10);
    await load.stop();
    expect(load.others).toEqual([]);
    await server.stop("SIGKILL");
    const kept = journaled(disk, "loaded");
    expect(kept).toBeGreaterThanOrEqual(20);
    expect(kept).toBeLessThan(20 + load.sent());

    const before = filesOf(disk);
    const { status, said } = startInVain(disk);
    expect([status, said]).toEqual([
      3,
      expect.stringMatching(/There is no space left for \S*penknife-data\./),
    ]);
    expect(filesOf(disk)).toEqual(before);
    free(disk);
    const again = await start(disk);
    const fresh = await openSocket(disk.cwd);
    expect(await usedOf(fresh, "loaded")).toBe(kept);
    expect([await codeWith(again, key), await codeWith(again, leaked.key)]).toEqual(["ok", "revoked_key"]);
    expect(await fresh.call("audit.verify")).toMatchObject({ faultCount: 0 });
    expect(damageIn(disk)).toEqual([]);
    fresh.close();
  });
});
