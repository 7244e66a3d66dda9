import { afterEach, describe, expect, it } from "vitest";
import { createDisks, damageIn, type Disk, fill, free, mountRefusal } from "./disk.ts";
import { serve, type Server } from "./harness.ts";
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

const mib = 1024 * 1024;
const disks = createDisks();
const servers: Server[] = [];

async function start({ cwd }: Disk): Promise<Server> {
  const server = await serve(cwd, { PENKNIFE_LOG_FORMAT: "json" });
  servers.push(server);
  return server;
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop("SIGKILL");
  disks.close();
});

const refusal = mountRefusal();
if (refusal !== undefined)
  process.stderr.write(`a full disk was not tried: nothing can be mounted here (${refusal})\n`);
it.runIf(process.env.PENKNIFE_MACHINE === "required")("a disk can be mounted where it must be", () =>
  expect(refusal).toBeUndefined(),
);

describe.runIf(refusal === undefined)("a full disk", () => {
  it("lets requests be answered and counted, refuses the operator whole, and heals by itself", async () => {
    const disk = disks.small(mib);
    const all = await prepare(disk, await start(disk));
    const { server, key, socket } = all;
    const load = startLoad(server, key);
    await expect.poll(load.answered, { timeout: 10_000 }).toBeGreaterThan(50);
    fill(disk);
    await expect.poll(() => readiness(server), { timeout: 10_000 }).toBe('200 {"status":"degraded"}');
    const kept = journaled(disk, "loaded");
    await expectRefusals(disk, all, /no space left/);
    const answered = load.answered();
    expect(await usedOf(socket, "loaded")).toBeGreaterThanOrEqual(answered);
    expect(answered).toBeGreaterThan(kept);
    expect(await metricOf(server, "penknife_storage_errors_total", '"journal"')).toBeGreaterThan(0);
    expect(await metricOf(server, "penknife_storage_errors_total", '"write"')).toBeGreaterThan(0);
    // Asked for here, so that it is written, which fails now.
    await requestsOf(socket, "loaded");

    free(disk);
    await expect.poll(() => readiness(server), { timeout: 5_000 }).toBe('200 {"status":"ready"}');
    expect(journaled(disk, "loaded")).toBeGreaterThanOrEqual(answered);
    await expectAllWorks(disk, all);
    await load.stop();
    expect(load.others).toEqual([]);
    expect(await usedOf(socket, "loaded")).toBe(load.sent());
    expect(await requestsOf(socket, "loaded")).toBe(load.sent());

    const events = eventsOf(server);
    const failed = events.filter((line) => line.includes('"the store failed"'));
    expect(failed.join("\n")).toMatch(/There is no space left for \S+counters\.log\. Free some space/);
    // Not one for each request, nor for each attempt.
    expect(failed.length).toBeLessThan(30);
    expect(events.join("\n")).toContain("counters.log is written again");

    await server.stop("SIGKILL");
    await start(disk);
    const again = await openSocket(disk.cwd);
    expect(await usedOf(again, "loaded")).toBe(load.sent());
    expect(await requestsOf(again, "loaded")).toBe(load.sent());
    again.close();
  }, 60_000);

  it("forgets in a kill -9 what it could not write, and is told at a start, which changes nothing", async () => {
    const disk = disks.small(mib);
    const { server, key, socket, leaked } = await prepare(disk, await start(disk));
    await socket.call("keys.revoke", { id: leaked.id });
    for (let n = 0; n < 20; n++) expect(await codeWith(server, key)).toBe("ok");
    fill(disk);
    const load = startLoad(server, key);
    await expect.poll(() => readiness(server), { timeout: 10_000 }).toBe('200 {"status":"degraded"}');
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
  }, 60_000);
});
