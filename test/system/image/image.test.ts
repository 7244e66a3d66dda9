import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freePort } from "../../../config/free-port.ts";
import { isLong } from "../../support/cases.ts";
import { copySystem } from "./copy-system.ts";

// The Dockerfile itself, built without a registry on a stand-in base and run without an engine.
const root = new URL("../../..", import.meta.url).pathname;
const possible =
  process.getuid?.() === 0 && existsSync("/etc/debian_version") && !spawnSync("buildah", ["--version"]).error;

it.runIf(process.env.TEST_MACHINE === "required")("can build the image where that is required", () =>
  expect(possible).toBe(true),
);

if (!possible) process.stderr.write("image tests skipped: they need root, Debian and buildah\n");

describe.runIf(possible)("the image", () => {
  const folder = mkdtempSync(join(tmpdir(), "penknife-image-"));
  let container = "";
  let files = "";
  let before: string[] = [];
  let server: ChildProcess | undefined;
  let port = 0;

  const storage = [
    "--root",
    join(folder, "storage"),
    "--runroot",
    join(folder, "run"),
    "--storage-driver",
    "vfs",
  ];
  const buildah = (...args: string[]): string =>
    execFileSync("buildah", [...storage, ...args], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  const running = (...command: string[]): string[] => [
    ...storage,
    ..."run --isolation chroot --env".split(" "),
    `PENKNIFE_SERVER_PORT=${port}`,
    container,
    "--",
    ...command,
  ];
  /** A folder with what the build of an image reads if `dist/penknife` exists. Copying the sources into it would double the work. */
  const makeContext = (): string => {
    if (isLong()) return root;
    const context = join(folder, "context");
    mkdirSync(join(context, "dist"), { recursive: true });
    for (const path of ["Dockerfile", ".dockerignore", "config", "package.json", "dist/penknife"])
      cpSync(join(root, path), join(context, path), { recursive: true });
    return context;
  };
  const config = (field: string): unknown =>
    (
      JSON.parse(buildah("inspect", "--type", "image", "penknife")) as {
        Docker: { config: Record<string, unknown> };
      }
    ).Docker.config[field];
  /** Matches the names that the container engine adds to those of the image. */
  const added = /^(?:data|dev|proc|run|sys|tmp)(?:\/|$)|^etc\/(?:hostname|hosts|resolv\.conf)$/;
  const listing = (): string[] =>
    readdirSync(files, { recursive: true, encoding: "utf8" }).filter((path) => !added.test(path));

  beforeAll(async () => {
    const base = buildah("from", "scratch");
    const system = join(folder, "system");
    mkdirSync(system);
    copySystem(system, join(root, "dist/penknife"));
    buildah("add", "--quiet", base, system, "/");
    buildah("commit", "--quiet", "--rm", base, "localhost/stand-in");
    const choice = ["--build-arg", "SOURCE=prebuilt", "--build-arg", "BUILD_BASE=localhost/stand-in"];
    buildah(
      "bud",
      "--isolation",
      "chroot",
      "--format",
      "docker",
      ...choice,
      "--tag",
      "penknife",
      makeContext(),
    );
    container = buildah("from", "penknife");
    files = buildah("mount", container);
    before = listing();
    port = await freePort();
    const entry = [...(config("Entrypoint") as string[]), ...(config("Cmd") as string[])];
    server = spawn("buildah", running(...entry), { stdio: ["ignore", "pipe", "pipe"] });
    await vi.waitFor(() => get("/healthz"), { timeout: 60_000, interval: 100 });
  }, 400_000);

  afterAll(async () => {
    server?.kill("SIGTERM");
    // A server that ends still writes to its folder.
    if (server && server.exitCode === null && server.signalCode === null) await once(server, "exit");
    if (container !== "") buildah("rm", "--all");
    rmSync(folder, { recursive: true, force: true });
  });

  const get = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, init);

  it("answers through its entry point", async () => {
    expect((await get("/healthz")).status).toBe(200);
    const headers = { "content-type": "application/json" };
    const response = await get("/api/tools/json-formatter", {
      method: "POST",
      headers,
      body: '{"data":"[1]"}',
    });
    expect(await response.json()).toEqual({ result: "[\n  1\n]" });
  });

  it("is healthy by its own check", () => {
    expect(config("Healthcheck")).toMatchObject({ Test: ["CMD", "penknife", "healthcheck"] });
    execFileSync("buildah", running("penknife", "healthcheck"), { stdio: "pipe" });
  });

  it("creates a first account and key beside the running server", async () => {
    const admin = (...words: string[]): string =>
      execFileSync("buildah", running("penknife", "admin", ...words), {
        encoding: "utf8",
        stdio: "pipe",
      }).trim();
    admin("accounts", "create", "ci", "--plan", "pro");
    const key = admin("keys", "issue", "--account", "ci");
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await get("/api/tools/json-minifier", {
      method: "POST",
      headers,
      body: '{"data":"[ 1 ]"}',
    });
    expect([response.status, response.headers.get("x-ratelimit-limit")]).toEqual([200, "1000"]);
  });

  it("runs as an unprivileged user, writes to its volume only, and has no shell", () => {
    expect([config("User"), Object.keys(config("Volumes") as object)]).toEqual(["65532:65532", ["/data"]]);
    expect(statSync(join(files, "data")).uid).toBe(65532);
    expect(listing()).toEqual(before);
    expect(readdirSync(join(files, "usr/bin"))).toEqual(["penknife"]);
    expect(existsSync(join(files, "bin"))).toBe(false);
  });

  it("has certificates and time zones", () => {
    expect(statSync(join(files, "etc/ssl/certs/ca-certificates.crt")).size).toBeGreaterThan(100_000);
    expect(existsSync(join(files, "usr/share/zoneinfo/Europe/Berlin"))).toBe(true);
  });
});
