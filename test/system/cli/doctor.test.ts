import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../../../config/free-port.ts";
import { makeFolder, penknife } from "./host.ts";
import { end, start } from "./spawn.ts";

interface Item {
  check: string;
  level: string;
  message: string;
  action: string;
}

const items = (stdout: string) => (JSON.parse(stdout) as { items: Item[] }).items;

test("exits with 0 without errors, and prints a list for scripts", async () => {
  const cwd = makeFolder({ "penknife.yaml": "server: {port: 0}\n" });
  const { status, stdout, stderr } = await penknife(["doctor", "--json"], { cwd });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  for (const item of items(stdout))
    expect(Object.keys(item)).toEqual(["check", "level", "message", "action"]);
  expect(items(stdout)[0]).toMatchObject({
    check: "configuration",
    level: "ok",
    message: expect.stringMatching(/penknife\.yaml, with 1 of \d+ options set/),
  });
  expect(items(stdout).map(({ check }) => check)).toContain("storage.folder");
});

test("exits with 1 for an error, with marks and colours on a terminal and fields elsewhere", async () => {
  const env = {
    PENKNIFE_SERVER_HOST: "0.0.0.0",
    PENKNIFE_SERVER_PORT: "0",
    PENKNIFE_SERVER_TRUSTED_PROXIES: "0.0.0.0/0",
    PENKNIFE_STORAGE_DRIVER: "memory",
  };
  const cwd = makeFolder();
  const plain = await penknife(["doctor"], { cwd, env });
  expect(plain.status).toBe(1);
  expect(plain.stdout).toMatch(/^error\tproxies\t.*anybody can choose[^\t]*\tList only the addresses/m);
  const { status, stdout } = await penknife(["doctor"], { cwd, env, tty: { stdout: true } });
  expect(status).toBe(1);
  expect(stdout).toContain("\n\u001B[31m✗\u001B[39m proxies             ");
  expect(stdout).toContain("\n\u001B[33m!\u001B[39m storage.driver");
  expect(stdout).toMatch(/\n1 error, \d warnings?, \d notes?\.\n$/);
  const bare = await penknife(["doctor", "--no-color"], { cwd, env, tty: { stdout: true } });
  expect(bare.stdout).not.toContain("\u001B");
  for (const line of bare.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  // The second column starts at the same place on every line.
  expect(
    new Set(
      bare.stdout
        .split("\n")
        .map((line) => /^. [\w.]+ +(?=\S)/.exec(line)?.[0].length)
        .filter(Boolean),
    ).size,
  ).toBe(1);
});

test.each<[string, Record<string, string>, RegExp]>([
  [
    "an option that is not known",
    { "penknife.yaml": "server: {prot: 1}\n" },
    /prot is not known; did you mean port\?/,
  ],
  ["a contradiction", { "penknife.yaml": "storage: {driver: redis}\n" }, /needs storage\.url/],
  ["no YAML", { "penknife.yaml": "{\n" }, /is not YAML/],
])("reports a configuration with %s", async (_, files, pattern) => {
  const { status, stdout } = await penknife(["doctor", "--json"], { cwd: makeFolder(files) });
  expect(status).toBe(1);
  expect(items(stdout)).toEqual([
    {
      check: "configuration",
      level: "error",
      message: expect.stringMatching(pattern),
      action: expect.any(String),
    },
  ]);
});

test("exits with 2 for a usage error", async () => {
  expect(await penknife(["doctor", "--fix"])).toMatchObject({ status: 2, stdout: "" });
});

test("accepts the lock and port of a running server", async () => {
  const folder = join(makeFolder(), "data");
  const port = await freePort();
  const child = start(["serve", "--port", String(port), "--data", folder], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = end(child);
  const env = { PENKNIFE_SERVER_PORT: String(port) };
  const look = async () => items((await penknife(["doctor", "--json", "--data", folder], { env })).stdout);
  const isUp = (found: Item[]) =>
    found.some(
      ({ check, message }) => check === "storage.lock" && message.includes("answers penknife admin"),
    );
  let found = await look();
  while (!isUp(found)) {
    if (child.exitCode !== null) throw new Error((await ended).stderr);
    found = await look();
  }
  expect(found.find(({ check }) => check === "port")).toMatchObject({
    level: "ok",
    message: `penknife answers on port ${port}.`,
  });
  expect(found.filter(({ level }) => level === "error")).toEqual([]);
  child.kill("SIGTERM");
  expect((await ended).status).toBe(0);
});
