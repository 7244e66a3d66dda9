import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createKey } from "../../../src/services/access/key-format.ts";
import { json, openScript } from "../cli/scripted-server.ts";
import { createDisks, mountRefusal } from "./disk.ts";
import { executable, issueKey, penknife, serve } from "./harness.ts";

const isRoot = process.getuid?.() === 0;
const cannotMount = mountRefusal();
const disabled = "tools: {disabled: [uuid-generator]}\n";

function makeFolder(config: string | undefined = disabled): string {
  const folder = mkdtempSync(join(tmpdir(), "penknife-e2e-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (config !== undefined) writeFileSync(join(folder, "penknife.yaml"), config);
  return folder;
}

/** Listens on loopback, and counts connections. */
async function openListener(): Promise<{ port: number; connections(): number }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.on("error", () => undefined).destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => count };
}

interface Case {
  name: string;
  /** Makes the folder with the file; returns the current folder of the command. */
  make(): string;
  reason: RegExp;
  /** Only root can make it. */
  root?: true;
}

const change = (alter: (folder: string) => void) => () => {
  const folder = makeFolder();
  alter(folder);
  return folder;
};

const cases: Case[] = [
  {
    name: "the root of a clone",
    make: change((at) => mkdirSync(join(at, ".git"))),
    reason: /it is in the Git work tree \//,
  },
  {
    name: "a work tree whose .git is a file",
    make: change((at) => writeFileSync(join(at, ".git"), "gitdir: /nowhere\n")),
    reason: /it is in the Git work tree \//,
  },
  {
    name: "a work tree whose .git is a link to nothing",
    make: change((at) => symlinkSync("nowhere", join(at, ".git"))),
    reason: /it is in the Git work tree \//,
  },
  {
    name: "a folder of a clone",
    make() {
      const top = makeFolder();
      mkdirSync(join(top, ".git"));
      const folder = join(top, "a/b");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "penknife.yaml"), disabled);
      return folder;
    },
    reason: /it is in the Git work tree \//,
  },
  {
    name: "a link into a clone",
    make() {
      const clone = makeFolder();
      mkdirSync(join(clone, ".git"));
      const folder = mkdtempSync(join(tmpdir(), "penknife-e2e-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      symlinkSync(join(clone, "penknife.yaml"), join(folder, "penknife.yaml"));
      return folder;
    },
    reason: /it is in the Git work tree \//,
  },
  {
    name: "a file that its group can write",
    make: change((at) => chmodSync(join(at, "penknife.yaml"), 0o664)),
    reason: /it can be written by its group or by everybody/,
  },
  {
    name: "a file that everybody can write",
    make: change((at) => chmodSync(join(at, "penknife.yaml"), 0o602)),
    reason: /it can be written by its group or by everybody/,
  },
  {
    name: "a folder that everybody can write, sticky as /tmp is",
    make: change((at) => chmodSync(at, 0o1777)),
    reason: /its folder \/\S+ can be written by its group or by everybody/,
  },
  {
    name: "a folder that its group can write",
    make: change((at) => chmodSync(at, 0o770)),
    reason: /its folder \/\S+ can be written by its group or by everybody/,
  },
  {
    name: "a file of another user",
    make: change((at) => chownSync(join(at, "penknife.yaml"), 4321, 4321)),
    reason: /it belongs to uid 4321/,
    root: true,
  },
  {
    name: "a folder of another user",
    make: change((at) => chownSync(at, 4321, 4321)),
    reason: /its folder \/\S+ belongs to uid 4321/,
    root: true,
  },
  {
    name: "a pipe, which nobody writes to",
    make: change((at) => {
      rmSync(join(at, "penknife.yaml"));
      execFileSync("mkfifo", [join(at, "penknife.yaml")]);
    }),
    reason: /it is no regular file/,
  },
];

describe.each(cases.filter(({ root }) => root !== true || isRoot))(
  "a configuration that is found: $name",
  ({ make, reason }) => {
    test("is ignored with one line by commands that work without it", async () => {
      const cwd = make();
      const { status, stdout, stderr } = await penknife(cwd, ["run", "uuid-generator"]);
      expect(stderr).toMatch(reason);
      expect(stderr).toMatch(
        /^penknife: warning: The configuration file \.\/penknife\.yaml is ignored: .+\. If it is yours, name it: --config \.\/penknife\.yaml\n$/,
      );
      expect(status).toBe(0);
      expect(stdout).toMatch(/^[0-9a-f-]{36}\n$/);
    });

    test("stops serve and admin, and the message says how to name it", async () => {
      const cwd = make();
      for (const line of ["serve --port 0", "admin accounts list", "admin backup -", "admin login"]) {
        const { status, stdout, stderr } = await penknife(cwd, line.split(" "));
        expect({ line, status, stdout }).toEqual({ line, status: 2, stdout: "" });
        expect(stderr).toMatch(reason);
        expect(stderr).toMatch(
          /^penknife: The configuration file \.\/penknife\.yaml is not trusted: .+\. If it is yours, name it: --config \.\/penknife\.yaml\n$/,
        );
      }
    });

    test("is reported by doctor and config", async () => {
      const cwd = make();
      const doctor = await penknife(cwd, ["doctor", "--json"]);
      expect(doctor.status).toBe(1);
      const { items } = JSON.parse(doctor.stdout) as { items: { level: string; message: string }[] };
      expect(items).toHaveLength(1);
      expect(items[0]).toMatchObject({ level: "error", message: expect.stringMatching(reason) });
      const config = await penknife(cwd, ["config", "--json"]);
      const shown = JSON.parse(config.stdout) as { items: { origin: string }[]; ignored: unknown[] };
      expect(shown.items.filter(({ origin }) => origin.includes("file"))).toEqual([]);
      expect(shown.ignored).toEqual([{ path: "./penknife.yaml", reason: expect.stringMatching(reason) }]);
      expect(config.stderr).toMatch(reason);
    });
  },
);

test("a configuration that is named is read, wherever it is", async () => {
  const cwd = makeFolder();
  mkdirSync(join(cwd, ".git"));
  for (const [args, env] of [
    [["--config", "penknife.yaml"], {}],
    [[], { PENKNIFE_CONFIG: "penknife.yaml" }],
  ] as const) {
    const ran = await penknife(cwd, ["run", "uuid-generator", ...args], { env });
    expect(ran.status).toBe(2);
    expect(ran.stderr).toContain("uuid-generator is switched off by tools.disabled");
    expect(ran.stderr).not.toContain("ignored");
  }
  const server = await serve(cwd, { PENKNIFE_CONFIG: "./penknife.yaml" });
  try {
    expect(server.stderr()).toContain("configured by ./penknife.yaml");
    // The next command needs the name as well.
    expect(server.stderr()).toContain("admin accounts create ci --plan pro --config ./penknife.yaml");
  } finally {
    await server.stop();
  }
});

test("a configuration of this user in a folder of this user is found", async () => {
  const { status, stderr } = await penknife(makeFolder(), ["run", "uuid-generator"]);
  expect(status).toBe(2);
  expect(stderr).toBe("penknife: uuid-generator is switched off by tools.disabled (file ./penknife.yaml).\n");
});

test("an agent is served without it, and hears nothing of it in the protocol", async () => {
  const cwd = makeFolder();
  mkdirSync(join(cwd, ".git"));
  const message = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const info = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  const call = { name: "run_tool", arguments: { slug: "uuid-generator", input: {} } };
  const input = message(0, "initialize", info) + message(1, "tools/call", call);
  const { status, stdout, stderr } = await penknife(cwd, ["mcp"], { input });
  expect(status).toBe(0);
  const [, answer] = stdout.trimEnd().split("\n");
  expect(JSON.parse(answer ?? "")).toMatchObject({ id: 1, result: { content: [{ type: "text" }] } });
  expect(answer).not.toContain('isError":true');
  expect(stderr).toMatch(/^penknife: warning: The configuration file \.\/penknife\.yaml is ignored: .+\n$/);
});

test("a closed standard error keeps no command from its work", () => {
  const cwd = makeFolder();
  mkdirSync(join(cwd, ".git"));
  const ran = spawnSync("sh", ["-c", '"$0" run uuid-generator 2>&-', executable], { cwd, encoding: "utf8" });
  expect(ran).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) });
});

test("pipelines beside a configuration that is not trusted do not exist", async () => {
  const cwd = makeFolder();
  mkdirSync(join(cwd, "pipelines"));
  writeFileSync(join(cwd, "pipelines/house.yaml"), "steps: [{tool: json-minifier}]\n");
  expect(await penknife(cwd, ["run", "house"], { input: "[ ]" })).toMatchObject({
    status: 0,
    stdout: "[]\n",
  });
  mkdirSync(join(cwd, ".git"));
  const { status, stderr } = await penknife(cwd, ["run", "house"], { input: "[ ]" });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^penknife: Unknown tool house/);
});

test("no command connects to what the configuration of a clone names", async () => {
  const { port, connections } = await openListener();
  const cwd = makeFolder(
    `server: {host: 127.0.0.1, port: ${port}}\n` +
      `storage: {driver: redis, url: "redis://127.0.0.1:${port}"}\n` +
      `oidc: {issuer: "http://127.0.0.1:${port}", clientId: a, clientSecret: b, operatorRule: ["groups=ops"]}\nweb: {publicUrl: "http://127.0.0.1:1"}\n`,
  );
  mkdirSync(join(cwd, ".git"));
  const env = { PENKNIFE_KEY: createKey((size) => new Uint8Array(size)) };
  for (const line of [
    "inbox list",
    "doctor",
    "config",
    "admin accounts list",
    "serve",
    "admin login",
    "check",
    "tools",
  ])
    await penknife(cwd, line.split(" "), { env });
  expect(connections()).toBe(0);
  await penknife(cwd, ["doctor", "--config", "penknife.yaml"]);
  expect(connections()).toBeGreaterThan(0);
}, 60_000);

describe("the server of a client", () => {
  test("is the one that runs on the data folder, and not the one of a configuration", async () => {
    const { port, connections } = await openListener();
    // Trusted, and yet a key is not for the server that it names.
    const cwd = makeFolder(`server: {port: ${port}}\n`);
    const server = await serve(cwd, { PENKNIFE_SERVER_HOST: "0.0.0.0", PENKNIFE_SERVER_BASE_PATH: "/below" });
    try {
      const env = { PENKNIFE_KEY: await issueKey(cwd, "ci") };
      const listed = await penknife(cwd, ["inbox", "create", "--name", "one", "--json"], { env });
      expect(listed).toMatchObject({ status: 0, stderr: "" });
      const named = await penknife(tmpdir(), ["inbox", "list", "--data", join(cwd, "penknife-data")], {
        env,
      });
      expect(named.stdout).toContain("one");
      expect(connections()).toBe(0);
    } finally {
      await server.stop();
    }
    const { status, stderr } = await penknife(cwd, ["inbox", "list"], { env: { PENKNIFE_KEY: "x" } });
    expect(status).toBe(2);
    expect(stderr).toBe(
      "penknife: No server is given, and none runs on ./penknife-data (storage.path). Set --server URL or PENKNIFE_URL.\n",
    );
  });

  test.runIf(isRoot)("is not one of another user whose data folder happens to be here", async () => {
    const cwd = makeFolder();
    rmSync(join(cwd, "penknife.yaml"));
    chmodSync(cwd, 0o755);
    mkdirSync(join(cwd, "penknife-data"));
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", () => socket.write('{"result":"http://127.0.0.1:1"}\n'));
    });
    const path = join(cwd, "penknife-data/penknife.sock");
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => void server.close());
    const env = { PENKNIFE_KEY: "x" };
    // The key is wrong, which is noticed after the server is found.
    expect((await penknife(cwd, ["inbox", "list"], { env })).stderr).toContain("PENKNIFE_KEY");
    chownSync(path, 4321, 4321);
    expect((await penknife(cwd, ["inbox", "list"], { env })).stderr).toContain(
      "none runs on ./penknife-data",
    );
    const named = await penknife(cwd, ["inbox", "list", "--data", "penknife-data"], { env });
    expect(named.stderr).toContain("PENKNIFE_KEY");
  });

  test.each([
    ["inbox list --server http://192.0.2.1", {}],
    ["inbox wait in_0123456789abcdef0123456789abcdef", { PENKNIFE_URL: "http://tools.example.com:8787" }],
    ["inbox list", { PENKNIFE_URL: "http://tools.localhost" }],
    ["mcp --server http://tools.example.com", {}],
  ])("gets no key over plain HTTP on another machine: %s", async (line, more) => {
    const cwd = makeFolder("");
    const { status, stdout, stderr } = await penknife(cwd, line.split(" "), {
      env: { PENKNIFE_KEY: "svc_live_x", ...more },
    });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^penknife: http:\S+ is another machine, .+ with --insecure\.\n$/);
  });

  test("gets it with --insecure", async () => {
    const { url, asked } = await openScript(json({ items: [] }));
    const cwd = makeFolder("");
    // Not a name of this machine, although it leads there.
    const server = url.replace("127.0.0.1", "0.0.0.0");
    const env = { PENKNIFE_KEY: createKey((size) => new Uint8Array(size)) };
    const line = ["inbox", "list", "--server", server];
    expect((await penknife(cwd, line, { env })).stderr).toContain("--insecure");
    expect(asked).toHaveLength(0);
    expect(await penknife(cwd, [...line, "--insecure"], { env })).toMatchObject({ status: 0 });
    expect(asked).toHaveLength(1);
    expect((await penknife(cwd, ["mcp", "--insecure"])).stderr).toContain("--insecure goes with --server");
  });
});

describe.runIf(cannotMount === undefined)("on a read-only mount", () => {
  test("what everybody could write is trusted, since nobody can", async () => {
    const disks = createDisks();
    onTestFinished(() => disks.close());
    const disk = disks.plain();
    writeFileSync(join(disk.data, "penknife.yaml"), disabled);
    chmodSync(join(disk.data, "penknife.yaml"), 0o666);
    chmodSync(disk.data, 0o777);
    const isOff = async () => (await penknife(disk.data, ["run", "uuid-generator"])).status === 2;
    expect(await isOff()).toBe(false);
    const release = disks.makeReadOnly(disk);
    expect(await isOff()).toBe(true);
    chownElsewhere(disk.data, release);
    disks.makeReadOnly(disk);
    // The owner of the folder may have made the mount too, with the image of a disk.
    expect(await isOff()).toBe(false);
  });

  /** Runs shell commands with an empty /etc, and then the executable, in a mount namespace of their own. */
  const system = (steps: string): { status: number | null; stderr: string } =>
    spawnSync(
      "unshare",
      [
        "--mount",
        "sh",
        "-ec",
        `mount -t tmpfs none /etc; mkdir /etc/penknife; cd /\n${steps}\nexec "$0" run uuid-generator`,
        executable,
      ],
      { encoding: "utf8" },
    );
  const write = `printf '%s' '${disabled}' > /etc/penknife/penknife.yaml`;
  const mountReadOnly = `mount --bind /etc/penknife/penknife.yaml /etc/penknife/penknife.yaml
mount -o remount,ro,bind /etc/penknife/penknife.yaml`;

  test.each([
    ["the file of root", write, true],
    ["in Git", `${write}; mkdir /etc/.git`, true],
    ["a file of the host", `${write}; chown 4321 /etc/penknife/penknife.yaml; ${mountReadOnly}`, true],
    ["a file that its owner can write", `${write}; chown 4321 /etc/penknife/penknife.yaml`, false],
    ["a folder that others can write", `${write}; chmod 777 /etc/penknife`, false],
  ])("/etc/penknife: %s", (_, steps, trusted) => {
    const { status, stderr } = system(steps);
    expect(stderr).toContain(
      trusted
        ? "uuid-generator is switched off by tools.disabled"
        : "The configuration file /etc/penknife/penknife.yaml is ignored",
    );
    expect(status).toBe(trusted ? 2 : 0);
  });

  test("a file of a clone does not hide the one of the system", () => {
    const clone = makeFolder("tools: {disabled: []}\n");
    mkdirSync(join(clone, ".git"));
    const { status, stderr } = system(`${write}; cd ${clone}`);
    expect(status).toBe(2);
    expect(stderr).toMatch(/warning: .*\.\/penknife\.yaml is ignored[^]*switched off by tools\.disabled/);
  });
});

function chownElsewhere(folder: string, release: () => void): void {
  release();
  chownSync(join(folder, "penknife.yaml"), 4321, 4321);
}
