import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeFolder } from "./host.ts";
import { end, program, shell, start } from "./spawn.ts";

describe("gives the exit status of a check, whether or not its output is read", () => {
  const cwd = () => makeFolder({ "good.json": "{}", "bad.json": "[1 2]" });
  const formats = ["human", "json", "sarif", "github"];
  test.each([
    ["penknife check json-validator --format=FORMAT good.json", 0],
    ["penknife check json-validator --format=FORMAT '*.json'", 1],
    ["penknife check json-validator --format=FORMAT '*.json' > out", 1],
    ["penknife check json-validator --format=FORMAT '*.json' | cat", 1],
    ["penknife check json-validator --format=FORMAT '*.json' >&- 2>&-", 1],
    ["penknife check json-validator --format=FORMAT none.json", 2],
    ["penknife check json-formatter --format=FORMAT --indent=x good.json", 2],
  ])("%s", async (line, status) => {
    const folder = cwd();
    const ran = await Promise.all(
      // A wrong call writes none of them.
      (status === 2 ? formats.slice(-1) : formats).map((format) =>
        shell(line.replace("FORMAT", format), { cwd: folder }),
      ),
    );
    expect(ran.map((one) => one.status)).toEqual(ran.map(() => status));
  });

  test("is 3 if a tool had to be stopped", async () => {
    const folder = makeFolder({ "a.json": `"${"a".repeat(60)}!"`, "b.json": "1" });
    const schema = '{"pattern":"^(a|a)*$(?=x)"}';
    const argv = [
      "check",
      "json-schema-validator",
      "--schema",
      schema,
      "--format",
      "sarif",
      "a.json",
      "b.json",
    ];
    const { status, stdout } = await end(
      start(argv, { cwd: folder, env: { PENKNIFE_TOOLS_DEADLINE_MS: "1000" } }),
    );
    expect(status).toBe(3);
    expect(JSON.parse(stdout.toString())).toMatchObject({
      runs: [{ results: [], invocations: [{ executionSuccessful: false, exitCode: 3 }] }],
    });
  });
});

// From util-linux; script(1) of other systems has other options.
describe.runIf(process.platform === "linux")("on a real terminal", () => {
  /** Checks a file with a finding, and a pipe without a writer yet. */
  function open() {
    const cwd = makeFolder({ "a.json": "[1 2]" });
    execFileSync("mkfifo", [join(cwd, "pipe.json")]);
    const words = [...program, "check", "json-validator", "a.json", "pipe.json"];
    const line = `exec ${words.map((word) => `'${word}'`).join(" ")}`;
    const env = { PATH: process.env.PATH ?? "", TERM: "xterm", NO_COLOR: "1" };
    const child = spawn("script", ["-qefc", line, "/dev/null"], { cwd, env });
    onTestFinished(() => void child.kill("SIGKILL"));
    let screen = "";
    child.stdout.on("data", (chunk: Buffer) => (screen += chunk.toString().replaceAll("\u001b", "␛")));
    return { cwd, child, ended: end(child), screen: () => screen };
  }
  const bar = "\r[####################....................] 1/2␛[K";

  test("a progress bar appears, and is erased before the summary", async () => {
    const { cwd, ended, screen } = open();
    await expect.poll(screen).toContain(bar);
    execFileSync("sh", ["-c", "echo '[3 4]' > pipe.json"], { cwd });
    expect(await ended).toMatchObject({ status: 1 });
    expect(screen().split("\r\n")).toEqual([
      expect.stringMatching(/^a\.json:1:4: .+ \(syntax\)$/),
      expect.stringMatching(/␛\[K\r␛\[Kpipe\.json:1:4: .+ \(syntax\)$/),
      "2 files checked, 2 findings in 2 files",
      "",
    ]);
  });

  test("Ctrl-C erases it and ends the process by the signal, which a shell reports as 130", async () => {
    const { child, ended, screen } = open();
    await expect.poll(screen).toContain(bar);
    child.stdin.write("\u0003");
    expect(await ended).toMatchObject({ status: 130 });
    expect(screen()).toMatch(/␛\[K(?:\^C)?\r␛\[K$/);
  });
});
