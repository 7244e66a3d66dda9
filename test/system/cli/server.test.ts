import { chmodSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { makeFolder, penknife as runHere } from "./host.ts";
import { end, shell, start } from "./spawn.ts";

interface Server {
  child: ChildProcess;
  url: string;
  folder: string;
  /** Its output so far. */
  said(): string;
  /** Its exit status. */
  ended: Promise<number | null>;
}

async function serve(folder = join(makeFolder(), "data"), env: Record<string, string> = {}): Promise<Server> {
  const child = start(["serve", "--port", "0", "--data", folder], { env });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += String(chunk)));
  const ended = once(child, "exit").then(([status]) => status as number | null);
  let url: string | undefined;
  while ((url = /listening on (\S+)/.exec(said)?.[1]) === undefined || !said.includes("curl")) {
    if (child.exitCode !== null) throw new Error(`The server ended: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { child, url, folder, ended, said: () => said };
}

const format = (url: string, key?: string) =>
  fetch(`${url}/api/tools/json-formatter`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: '{"data":"[1]"}',
  });

/** Runs a command beside the server. */
const penknife = (line: string, { folder }: Pick<Server, "folder">) =>
  runHere([...line.split(" "), "--data", folder]);

describe("a first start", () => {
  test("prints commands that work unchanged", async () => {
    const server = await serve();
    const lines = server
      .said()
      .split("\n")
      .filter((line) => /^ {2}(?:curl|.* admin) /.test(line));
    expect(lines).toHaveLength(3);
    const [called, created, issued] = [
      await shell(lines[0] ?? ""),
      await shell(lines[1] ?? ""),
      await shell(lines[2] ?? ""),
    ];
    expect(JSON.parse(called.stdout.toString())).toEqual({ result: '{\n  "a": 1\n}' });
    expect(created).toMatchObject({ status: 0, stderr: "" });
    expect(issued.stdout.toString()).toMatch(/^svc_live_\w{38}\n$/);

    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    // Not repeated from the second start on.
    const again = await serve(server.folder);
    expect(again.said()).not.toContain("admin");
  });
});

describe("beside a running server", () => {
  test("a key works, is revoked at once, and appears only where it was printed", async () => {
    const server = await serve();
    await penknife("admin accounts create ci --plan pro", server);
    const key = (await penknife("admin keys issue --account ci", server)).stdout.trim();
    expect((await format(server.url, key)).status).toBe(200);
    expect(JSON.parse((await penknife("admin usage --json", server)).stdout)).toMatchObject({
      items: [{ account: "ci", used: 1 }],
    });
    expect(await penknife(`admin keys revoke ${key} --reason leaked`, server)).toMatchObject({ status: 0 });
    expect((await format(server.url, key)).status).toBe(401);
    expect((await penknife("admin accounts list", server)).stdout).toMatch(/^ci\tpro\t/);

    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(server.said()).not.toContain(key.slice(14));
    for (const entry of readdirSync(server.folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      expect(readFileSync(join(entry.parentPath, entry.name), "latin1")).not.toContain(key.slice(14));
    }
    // The same command gives the same answer without the server.
    expect((await penknife("admin accounts list", server)).stdout).toMatch(/^ci\tpro\t/);
    expect(await penknife(`admin keys check ${key}`, server)).toMatchObject({ status: 1 });
  });

  test("healthcheck finds it, also after SIGHUP and without the reader of its log, and reports when it is gone", async () => {
    const { child, url, ended } = await serve();
    const check = () => end(start(["healthcheck", "--port", new URL(url).port]));
    child.kill("SIGHUP");
    expect((await format(url)).status).toBe(200);
    child.stdout?.destroy();
    child.stderr?.destroy();
    for (let call = 0; call < 3; call++) expect((await format(url)).status).toBe(200);
    expect(await check()).toMatchObject({ status: 0, stdout: Buffer.from("ok\n") });
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(await check()).toMatchObject({ status: 3 });
  });
});

/** Makes a call that runs until its deadline. @returns its response, when a worker process runs it */
async function callSlowly(url: string): Promise<{ slow: Promise<Response> }> {
  for (;;) {
    let over = false;
    const slow = fetch(`${url}/api/tools/regex-tester`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ data: `${"a".repeat(60)}!`, pattern: "^(a|a)*$", engine: "js" }),
    }).finally(() => (over = true));
    slow.catch(() => undefined);
    // On a busy machine the call may be over before this is noticed.
    while (!over) {
      const text = await (await fetch(`${url}/metrics`)).text();
      if (/^penknife_worker_processes\{state="busy"\} [1-9]/m.test(text)) return { slow };
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

describe("signals", () => {
  // SIGINT begins the same end, as the next test sees.
  test.each(["SIGTERM", "SIGINT"] as const)("%s lets running requests finish", async (signal) => {
    // The server gives running requests ten seconds.
    const env = { PENKNIFE_TOOLS_DEADLINE_MS: "1000" };
    const { child, url, ended } = await serve(undefined, env);
    const { slow } = await callSlowly(url);
    child.kill(signal);
    expect((await slow).status).toBe(504);
    expect(await ended).toBe(0);
  });

  test("a second signal ends it at once", async () => {
    const { child, url, ended } = await serve(undefined, { PENKNIFE_TOOLS_DEADLINE_MS: "600000" });
    const { slow } = await callSlowly(url);
    child.kill("SIGINT");
    // Simultaneous signals merge into one: the first has arrived when new connections are refused.
    const isOpen = () =>
      fetch(`${url}/healthz`).then(
        () => true,
        () => false,
      );
    while (await isOpen()) await new Promise((resolve) => setTimeout(resolve, 20));
    const started = performance.now();
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(performance.now() - started).toBeLessThan(60_000);
    await slow.catch(() => undefined);
  });
});

describe("a failed start gives exit status 3 and one sentence", () => {
  const fails = async (words: string[], folder: string, env: Record<string, string> = {}) => {
    const ran = await end(start(["serve", "--port", "0", "--data", folder, ...words], { env }));
    expect(ran.status).toBe(3);
    const complaints = ran.stderr.split("\n").filter((line) => line.startsWith("penknife: "));
    expect(complaints).toHaveLength(1);
    expect(ran.stderr).not.toContain("    at ");
    return complaints[0] ?? "";
  };
  const folderOf = () => join(makeFolder(), "data");

  test("a folder or a port that another server uses", async () => {
    const { folder, url } = await serve();
    expect(await fails([], folder)).toContain(folder);
    const { port } = new URL(url);
    const ran = await end(start(["serve", "--port", port, "--data", folderOf()]));
    expect(ran.status).toBe(3);
    expect(ran.stderr).toMatch(new RegExp(`^penknife: .*\\b${port}\\b.*\n$`, "m"));
  });

  test("an address of another machine", async () => {
    expect(await fails(["--host", "192.0.2.1"], folderOf())).toContain("192.0.2.1");
  });

  test("a folder that is a file", async () => {
    const cwd = makeFolder({ data: "" });
    expect(await fails([], join(cwd, "data"))).toContain(join(cwd, "data"));
  });

  test("a folder that cannot be written to", async () => {
    // Root may write anywhere except in a folder of the kernel.
    expect(await fails([], "/proc/penknife")).toContain("/proc/penknife");
  });

  test("records of a newer version", async () => {
    const folder = folderOf();
    mkdirSync(join(folder, "accounts"), { recursive: true });
    chmodSync(folder, 0o700);
    await penknife("admin accounts create ci --plan pro", { folder });
    const database = new DatabaseSync(join(folder, "store.db"));
    database.exec("PRAGMA user_version = 3");
    database.close();
    expect(await fails([], folder)).toContain("newer release of penknife (version 3, this one reads 2)");
  });
});
