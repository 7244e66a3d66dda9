import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { damageIn, type Disk, ext4Refusal, mountRefusal } from "./disk.ts";
import { penknife, type Server } from "./harness.ts";
import {
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
  startInVain,
  startLoad,
  usedOf,
} from "./operate.ts";
import { createServersOnDisks } from "./servers-on-disks.ts";

const { disks, start: startOn } = createServersOnDisks();
const start = ({ cwd }: Disk): Promise<Server> => startOn(cwd, { PENKNIFE_LOG_FORMAT: "json" });

const refusal = mountRefusal();
if (refusal !== undefined)
  process.stderr.write(`tests of a read-only disk skipped: cannot mount a file system (${refusal})\n`);
it.runIf(process.env.TEST_MACHINE === "required")("finds a disk to mount where one is required", () =>
  expect(refusal).toBeUndefined(),
);

describe.runIf(refusal === undefined)("a folder that is mounted read-only", () => {
  it("while a server runs: answers and counts requests, refuses changes, and recovers by itself", async () => {
    const disk = disks.plain();
    const all = await prepare(disk, await start(disk));
    const { server, key, socket } = all;
    const load = startLoad(server, key, 40);
    await expect.poll(load.answered).toBeGreaterThan(20);
    const makeWritable = disks.makeReadOnly(disk);
    await expectRefusals(disk, all, /on a read-only file system/, false);
    await requestsOf(socket, "loaded");
    expect(await metricOf(server, "penknife_storage_errors_total", '"write"')).toBeGreaterThan(0);
    expect(eventsOf(server).join("\n")).toMatch(/"the store failed".*on a read-only file system/);
    makeWritable();
    await expectAllWorks(disk, all);
    await load.stop();
    expect(load.others).toEqual([]);
    expect(await usedOf(socket, "loaded")).toBe(load.sent());
    expect(await requestsOf(socket, "loaded")).toBe(load.sent());
    socket.close();
  });

  it("lets a server shut down in order, and none start until it is writable", async () => {
    const disk = disks.plain();
    const { server, key, socket } = await prepare(disk, await start(disk));
    for (let n = 0; n < 5; n++) expect(await codeWith(server, key)).toBe("ok");
    await requestsOf(socket, "loaded");
    const makeWritable = disks.makeReadOnly(disk);
    expect([await server.stop(), server.stderr()]).toEqual([0, expect.not.stringContaining("fault")]);
    expect(server.stdout()).not.toContain("internal error");

    const before = filesOf(disk);
    const { status, said } = startInVain(disk);
    expect([status, said]).toEqual([3, expect.stringMatching(/penknife-data is on a read-only file system/)]);
    const doctor = await penknife(disk.cwd, ["doctor"]);
    expect([doctor.status, doctor.stdout]).toEqual([1, expect.stringContaining("read-only file system")]);
    expect(filesOf(disk)).toEqual(before);

    makeWritable();
    const again = await start(disk);
    const fresh = await openSocket(disk.cwd);
    expect(await codeWith(again, key)).toBe("ok");
    expect(await usedOf(fresh, "loaded")).toBe(6);
    expect(await requestsOf(fresh, "loaded")).toBe(6);
    fresh.close();
  });
});

const noExt4 = refusal ?? ext4Refusal();
if (noExt4 !== undefined) process.stderr.write(`tests of a failing disk skipped: ${noExt4}\n`);

describe.runIf(noExt4 === undefined)("a disk that fails, which the kernel then makes read-only", () => {
  it("answers and counts requests until it is repaired, and lets a server shut down in order", async () => {
    const disk = disks.ext4();
    const all = await prepare(disk, await start(disk));
    const { server, key, socket } = all;
    const load = startLoad(server, key, 40);
    await expect.poll(load.answered).toBeGreaterThan(20);
    const kept = load.answered();
    // The journal retries the disk once a second.
    await sleep(2_500);
    disk.fail();
    await expect.poll(() => readiness(server)).toMatch(/^200 .*"degraded"/);
    await expectRefusals(
      disk,
      all,
      /on a read-only file system\. If it was not before, its disk is failing/,
      false,
    );
    expect(await usedOf(socket, "loaded")).toBeGreaterThanOrEqual(load.answered());
    expect(await metricOf(server, "penknife_storage_errors_total", '"journal"')).toBeGreaterThan(0);
    await load.stop();
    expect(load.others).toEqual([]);
    socket.close();
    expect(await server.stop()).toBe(0);
    expect(server.stdout()).not.toContain("internal error");

    disk.repair();
    const again = await start(disk);
    const fresh = { ...all, server: again, socket: await openSocket(disk.cwd) };
    const used = await usedOf(fresh.socket, "loaded");
    // Requests in the second before the fault, and after it, were only counted in memory.
    expect(used).toBeLessThanOrEqual(load.sent());
    expect(used).toBeGreaterThanOrEqual(kept);
    expect(journaled(disk, "loaded")).toBe(used);
    await expectAllWorks(disk, fresh);
    expect(damageIn(disk)).toEqual([]);
    fresh.socket.close();
  });
});
