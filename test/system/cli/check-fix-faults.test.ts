import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDisks, fill, free, mountRefusal } from "../e2e/disk.ts";
import { repeats } from "../../support/cases.ts";
import { makeFolder, penknife } from "./host.ts";
import { end, program, start } from "./spawn.ts";

const old = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, name: `entry ${id}` })));
const fixed = JSON.stringify(JSON.parse(old), null, 2);
const names = Array.from({ length: 200 }, (_, index) => `${String(index).padStart(3, "0")}.json`);
const isLitter = (name: string) => /^\.penknife-fix-[0-9a-f]{18}\.tmp$/.test(name);

/** Returns how many files are fixed. Each has to be old or new. */
function count(cwd: string): number {
  let done = 0;
  for (const name of names) {
    const text = readFileSync(join(cwd, name), "utf8");
    if (text === fixed) done++;
    else if (text !== old) throw new Error(`${name} is neither old nor new: ${text.length} characters`);
  }
  return done;
}

test("kill -9 leaves each file old or new, and the next run fixes the rest", async () => {
  const rounds = repeats(20);
  let interrupted = 0;
  // A run may end before it is killed, on a machine that is busy with other things.
  for (let round = 0; interrupted < rounds && round < 10 * rounds; round++) {
    const cwd = makeFolder(Object.fromEntries(names.map((name) => [name, old])));
    const size = () => statSync(join(cwd, names[(round * 5) % 100] as string)).size;
    const child = start(["check", "json-formatter", "--fix", "*.json"], { cwd, stdio: "ignore" });
    await expect.poll(size, { interval: 1, timeout: 60_000 }).not.toBe(Buffer.byteLength(old));
    child.kill("SIGKILL");
    await end(child);
    const done = count(cwd);
    expect(done).toBeGreaterThan(0);
    const others = readdirSync(cwd).filter((name) => !names.includes(name));
    expect(others.filter((name) => !isLitter(name))).toEqual([]);
    if (done === names.length) continue;
    interrupted++;
    const rest = await penknife(["check", "json-formatter", "--fix", "*.json"], { cwd });
    expect(rest).toMatchObject({
      status: 0,
      stderr: `200 files checked, ${200 - done} fixed, no findings\n`,
    });
    expect(count(cwd)).toBe(names.length);
  }
  expect(interrupted).toBe(rounds);
});

test("two runs at once fix every file, and leave nothing else", async () => {
  const cwd = makeFolder(Object.fromEntries(names.map((name) => [name, old])));
  const line = ["check", "json-formatter", "--fix", "*.json"];
  const ran = await Promise.all([penknife(line, { cwd }), penknife(line, { cwd })]);
  expect(ran.map(({ status }) => status)).toEqual([0, 0]);
  expect(count(cwd)).toBe(names.length);
  expect(readdirSync(cwd)).toHaveLength(names.length);
});

const refusal = mountRefusal();
test.runIf(process.env.TEST_MACHINE === "required")("finds a disk to mount where one is required", () =>
  expect(refusal).toBeUndefined(),
);

describe.runIf(refusal === undefined)("a disk", () => {
  test("that is full or read-only keeps the old file, and nothing beside it", async () => {
    const disks = createDisks();
    try {
      const disk = disks.small(1024 * 1024);
      const cwd = disk.data;
      writeFileSync(join(cwd, "000.json"), old);
      const fix = () => penknife(["check", "json-formatter", "--fix", "000.json"], { cwd });
      fill(disk);
      const full = await fix();
      expect(full.status).toBe(3);
      expect(full.stdout).toContain("000.json: The file was left as it is: the disk is full. (not-fixed)\n");
      expect(readFileSync(join(cwd, "000.json"), "utf8")).toBe(old);
      expect(readdirSync(cwd).filter(isLitter)).toEqual([]);
      free(disk);
      const unmount = disks.makeReadOnly(disk);
      const refused = await fix();
      expect(refused.status).toBe(3);
      expect(refused.stdout).toContain("its file system is read-only. (not-fixed)");
      unmount();
      expect((await fix()).status).toBe(0);
      expect(readFileSync(join(cwd, "000.json"), "utf8")).toBe(fixed);
    } finally {
      disks.close();
    }
  });
});

/** A user without rights: this one, or nobody where this is root and nobody may read the program. */
const root = process.getuid?.() === 0;
const nobody = root ? { uid: 65_534, gid: 65_534 } : {};
const [command, ...words] = program;
const startable =
  spawnSync(command, [...words, "--version"], { ...nobody, cwd: "/", stdio: "ignore" }).status === 0;

test.runIf(startable)("a folder that nobody may write to keeps its files", async () => {
  const cwd = makeFolder({ "000.json": old });
  if (root) chownSync(join(cwd, "000.json"), 65_534, 65_534);
  chmodSync(cwd, 0o555);
  const ran = await end(start(["check", "json-formatter", "--fix", "000.json"], { ...nobody, cwd }));
  chmodSync(cwd, 0o755);
  expect(ran.stdout.toString()).toContain(
    "000.json: The file was left as it is: permission denied. (not-fixed)\n",
  );
  expect(ran.status).toBe(1);
  expect(readFileSync(join(cwd, "000.json"), "utf8")).toBe(old);
  expect(readdirSync(cwd)).toEqual(["000.json"]);
});
