import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder } from "./host.ts";
import { end, shell, start } from "./spawn.ts";

const text = JSON.stringify(
  Array.from({ length: 40_000 }, (_, id) => ({ id, name: `entry ${id}`, ok: true })),
);
const formatted = `${JSON.stringify(JSON.parse(text), null, 2)}\n`;

describe("streams", () => {
  test("writes large documents completely, to pipes and files", async () => {
    expect(text.length).toBeGreaterThan(1_500_000);
    const piped = await end(start(["run", "json-formatter"]), text);
    expect(piped).toMatchObject({ status: 0, stderr: "" });
    expect(piped.stdout.equals(Buffer.from(formatted))).toBe(true);

    const cwd = makeFolder({ "in.json": text });
    const slow = await shell("penknife run json-formatter < in.json | (sleep 1; cat) > out.json", { cwd });
    expect(slow).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(join(cwd, "out.json"), "utf8") === formatted).toBe(true);
  });

  // Node's own pipes block; one that another program made for itself need not.
  test("writes everything to a pipe that does not block", async () => {
    const cwd = makeFolder({ "in.json": JSON.stringify(JSON.parse(text).slice(0, 10_000)) });
    const unblock = "perl -MFcntl -e 'fcntl(STDOUT, F_SETFL, O_WRONLY | O_NONBLOCK) or die'";
    const lines = `penknife run json-minifier in.json; penknife run json-minifier in.json`;
    const ran = await shell(`(${unblock}; ${lines}) | (sleep 0.3; cat) > out.json`, { cwd });
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    const once = readFileSync(join(cwd, "in.json"), "utf8");
    expect(readFileSync(join(cwd, "out.json"), "utf8") === `${once}\n${once}\n`).toBe(true);
  });

  test("keeps bytes exact", async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 31) % 256));
    const cwd = makeFolder({ in: bytes });
    const ran = await shell(
      "penknife run base64-encoder < in | penknife run base64-decoder > out; cmp in out",
      { cwd },
    );
    expect(ran).toMatchObject({ status: 0, stderr: "" });
  });

  test("a reader that stops is not an error", async () => {
    const cwd = makeFolder({ "in.json": text });
    for (const line of [
      "penknife tools | head -1",
      "penknife run json-formatter in.json | head -c 10",
      "penknife --help | true",
    ]) {
      expect(await shell(line, { cwd })).toMatchObject({ status: 0, stderr: "" });
    }
  });

  test("a full disk gives exit status 3 and one line", async () => {
    const ran = await shell("penknife tools > /dev/full");
    expect(ran.status).toBe(3);
    expect(ran.stderr).toBe("penknife: The output cannot be written: the disk is full (ENOSPC, write)\n");
  });

  test("closed streams are not an error", async () => {
    expect(await shell("penknife run uuid-generator >&- 2>&- <&-")).toMatchObject({ status: 0 });
  });

  test("a tool without a document ends even if standard input stays open", async () => {
    const child = start(["run", "uuid-generator", "--count", "2"]);
    const { status, stdout } = await end(child);
    expect(status).toBe(0);
    expect(stdout.toString()).toMatch(/^(?:[\da-f-]{36}\n){2}$/);
  });

  test("a file may be a pipe", async () => {
    expect(await shell("penknife run json-minifier <(echo '[1, 2]')")).toMatchObject({
      status: 0,
      stdout: Buffer.from("[1,2]\n"),
    });
    expect(await shell("penknife check json-validator <(echo '[1, 2]')")).toMatchObject({ status: 0 });
  });
});

describe("the exit status", () => {
  test.each([
    ["echo 1 | penknife run json-formatter", 0],
    ["echo '[' | penknife run json-formatter", 1],
    ["echo 1 | penknife run json-formater", 2],
    ["penknife admin usage --data /nonexistent/x", 2],
    ["penknife admin accounts create ci --plan pro --data /proc/nope", 3],
  ])("%s", async (line, status) => {
    const ran = await shell(line);
    expect(ran.status).toBe(status);
    expect(ran.stderr).not.toContain("    at ");
  });
});

test("an endless worker is stopped at the deadline, or by Ctrl-C before", async () => {
  const argv = ["run", "regex-tester", "--engine=js", "--pattern=^(a|a)*$"];
  const input = `${"a".repeat(60)}!`;
  const late = await end(start(argv, { env: { PENKNIFE_TOOLS_DEADLINE_MS: "500" } }), input);
  expect(late).toMatchObject({ status: 3, stdout: Buffer.alloc(0) });
  const child = start(argv);
  setTimeout(() => child.kill("SIGINT"), 1000);
  expect(await end(child, input)).toMatchObject({ signal: "SIGINT", stderr: "" });
});

test("concurrent commands on one store wait for each other", async () => {
  const data = join(makeFolder(), "data");
  const argv = (name: string) => ["admin", "accounts", "create", name, "--plan", "pro", "--data", data];
  expect(await end(start(argv("first")))).toMatchObject({ status: 0 });
  const ran = await Promise.all(["a", "b", "c"].map((name) => end(start(argv(name)))));
  expect(ran.map(({ status, stderr }) => ({ status, stderr }))).toEqual(
    ran.map(() => ({ status: 0, stderr: "" })),
  );
  const { stdout } = await end(start(["admin", "accounts", "list", "--data", data]));
  expect(stdout.toString().match(/^\w+/gm)).toEqual(["a", "b", "c", "first"]);
});

test("finds the configuration file in the current folder", async () => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, "penknife.yaml"), "server:\n  port: 4321\n");
  const { stdout } = await end(start(["config"], { cwd }));
  expect(stdout.toString()).toContain("server.port\t4321\tfile ./penknife.yaml\n");
});
