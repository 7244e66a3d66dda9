import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../../../src/surfaces/cli/cli.ts";
import type { App } from "../../../src/app.ts";
import { StoreError } from "../../../src/storage/errors.ts";
import { createTestHost, type Given, makeFolder } from "./host.ts";

interface FakeApp extends Partial<App> {
  url?: string;
  accounts?: boolean;
  closing?: Promise<void>;
}

/** Starts `serve` on an app that only records calls. */
function serve(
  argv: string[] = [],
  { url = "http://127.0.0.1:8787", accounts = true, ...fake }: FakeApp = {},
  given: Given = {},
) {
  const events: string[] = [];
  const app = {
    hasAccounts: () => accounts,
    listen: async () => ({
      url,
      reload: async () => void events.push("reload"),
      close: async (graceMs: number) => {
        events.push(`close listener within ${graceMs}`);
        await fake.closing;
      },
    }),
    close: async () => void events.push("close app"),
    logFault: (error: unknown) => void events.push(`fault ${(error as Error).message}`),
    ...fake,
  } as unknown as App;
  const process = createTestHost({ ...given, program: { createApp: async () => app } });
  const status = runCli(["serve", ...argv], process.host);
  const started = async () => {
    while (!process.seen().stderr.includes("listening"))
      await new Promise((resolve) => setTimeout(resolve, 1));
  };
  return { ...process, events, status, started };
}

describe("the welcome text", () => {
  const words = async (...args: Parameters<typeof serve>) => {
    const { started, send, status, seen } = serve(...args);
    await started();
    send("SIGTERM");
    expect(await status).toBe(0);
    expect(seen().stdout).toBe("");
    return seen().stderr;
  };

  test("shows the address and a line to paste", async () => {
    const text = await words();
    expect(text).toContain("penknife is listening on http://127.0.0.1:8787\n");
    expect(text).toContain(
      `  curl -s http://127.0.0.1:8787/api/tools/json-formatter -H 'Content-Type: application/json' -d '{"data":"{\\"a\\":1}"}'\n`,
    );
    expect(text).not.toContain("admin");
    expect(text).not.toContain("WARNING");
  });

  test.each([
    ["http://0.0.0.0:80/x", "curl -s http://127.0.0.1:80/x/api/"],
    ["http://[::]:80", "curl -s http://127.0.0.1:80/api/"],
    ["https://10.0.0.1:443", "curl -k -s https://10.0.0.1:443/api/"],
  ])("%s can be reached from this machine", async (url, line) => {
    expect(await words([], { url })).toContain(line);
  });

  test("shows how to create the first key, with the options that find this store", async () => {
    const cwd = makeFolder({ "p.yaml": "" });
    const lines = async (argv: string[], given: Given = {}) =>
      (await words(argv, { accounts: false }, { cwd, ...given }))
        .split("\n")
        .filter((line) => line.includes("admin"));
    const two = (prefix: string, suffix: string) => [
      `  ${prefix}penknife admin accounts create ci --plan pro${suffix}`,
      `  ${prefix}penknife admin keys issue --account ci${suffix}`,
    ];
    const outside = { host: { files: filesWithout(cwd) } };
    expect(await lines([], outside)).toEqual(two("", ""));
    expect(await lines(["--data", "/my data"], outside)).toEqual(two("", " --data '/my data'"));
    expect(await lines([], { ...outside, env: { PENKNIFE_STORAGE_PATH: "/d" } })).toEqual(
      two("", " --data /d"),
    );

    const env = { HOSTNAME: "abc123", PENKNIFE_STORAGE_PATH: "/data" };
    const inside = (file: string) => ({
      env,
      host: { entryPoint: true, files: filesWithout(cwd, file) },
    });
    expect(await lines([], inside("/.dockerenv"))).toEqual(two("docker exec abc123 ", ""));
    expect(await lines([], inside("/run/.containerenv"))).toEqual(two("podman exec abc123 ", ""));
    expect(
      await lines([], { ...inside("/.dockerenv"), host: { files: filesWithout(cwd, "/.dockerenv") } }),
    ).toEqual(two("", " --data /data"));
    const pod = { env: { ...env, KUBERNETES_SERVICE_HOST: "10.0.0.1" } };
    expect(await lines([], { ...inside(""), ...pod })).toEqual(two("kubectl exec abc123 -- ", ""));
  });

  test("warns that storage.driver memory keeps nothing", async () => {
    const text = await words([], { accounts: false }, { env: { PENKNIFE_STORAGE_DRIVER: "memory" } });
    expect(text).toContain("WARNING: storage.driver is memory. Accounts, keys and counts are lost");
    expect(text).not.toContain("admin");
  });
});

describe("signals", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("%s shuts down in order", async (signal) => {
    const { started, send, status, events, listening } = serve();
    await started();
    send(signal);
    expect(await status).toBe(0);
    expect(events).toEqual(["close listener within 10000", "close app"]);
    expect([listening("SIGTERM"), listening("SIGINT"), listening("SIGHUP")]).toEqual([false, false, false]);
  });

  test("a second signal does not wait", async () => {
    const { started, send, status, events } = serve([], { closing: new Promise(() => undefined) });
    await started();
    send("SIGTERM");
    send("SIGINT");
    expect(await status).toBe(0);
    expect(events).toEqual(["close listener within 10000", "close app"]);
  });

  test("SIGHUP reloads the certificate; an invalid one is reported and changes nothing", async () => {
    const reload = () => Promise.reject(new Error("bad certificate"));
    const { started, send, status, events } = serve([], {
      listen: async () => ({ url: "listening", reload, close: async () => undefined }),
    });
    await started();
    send("SIGHUP");
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(events).toEqual(["fault bad certificate"]);
    send("SIGTERM");
    expect(await status).toBe(0);
  });
});

test("serves even if the welcome text cannot be written", async () => {
  const stderr = { isTTY: false, write: () => Promise.reject(new Error("write EPIPE")) };
  const { status, events, send, listening } = serve([], {}, { host: { stderr } });
  while (!listening("SIGHUP")) await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(events).toEqual([]);
  send("SIGTERM");
  expect(await status).toBe(0);
});

test("a signal during the start shuts down in order", async () => {
  const { status, events, send, listening } = serve();
  while (!listening("SIGTERM")) await Promise.resolve();
  send("SIGTERM");
  expect(await status).toBe(0);
  expect(events).toEqual(["close listener within 10000", "close app"]);
});

test("a failed start gives exit status 3 and one sentence, and leaves nothing open", async () => {
  const listen = () =>
    Promise.reject(new StoreError("open", "/data cannot be used by uid 65532: permission denied."));
  const { status, seen, events } = serve([], { listen });
  expect(await status).toBe(3);
  expect(seen()).toMatchObject({
    stdout: "",
    stderr: "penknife: /data cannot be used by uid 65532: permission denied.\n",
  });
  expect(events).toEqual(["close app"]);
});

test("an invalid option is reported before anything is opened", async () => {
  const { status, seen } = serve(["--port", "x"]);
  expect(await status).toBe(2);
  expect(seen().stderr).toBe('penknife: --port must be an integer, got "x".\n');
});

/** The files of this machine as if it were not a container, or one with this `marker`. */
function filesWithout(cwd: string, marker = "") {
  const { files } = createTestHost({ cwd }).host;
  const stat = (path: string) =>
    path === marker
      ? { kind: "file" as const, regular: true, owner: 0 }
      : path.startsWith("/")
        ? undefined
        : files.stat(join(cwd, path));
  return { ...files, stat };
}
