import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { request as requestSecure } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Built, buildExecutable } from "../../../config/build/executable.ts";
import { shareLibraries } from "../../../config/build/plugins.ts";
import { freePort } from "../../../config/free-port.ts";
import { parseTarget } from "../../../config/build/target.ts";

// Builds an executable with listhen, h3, ioredis and lazy libraries, by the functions that build the product, and starts
// it in an empty folder. Each route uses something that a start does not load.
const root = new URL("../../..", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "penknife-bundle-"));
const empty = mkdtempSync(join(tmpdir(), "penknife-empty-"));
let built: Built;
let server: ChildProcess | undefined;
let port = 0;
let securePort = 0;

beforeAll(async () => {
  built = await buildExecutable({
    target: parseTarget(undefined),
    main: join(root, "test/system/build/fixture/main.ts"),
    worker: join(root, "test/system/build/fixture/worker.ts"),
    libraries: ["graphql", "ioredis", "re2js", "yaml"],
    plugins: [shareLibraries(["graphql"])],
    version: "1.2.3",
    commit: "abc",
    output: join(folder, "fixture"),
    cache: join(root, "dist/cache"),
    rehearsal: {
      args: (on) => [String(on)],
      path: "/plain",
    },
  });
  const subject = [
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-subj",
    "/CN=localhost",
  ];
  execFileSync("openssl", ["req", ...subject, "-keyout", "key.pem", "-out", "cert.pem"], {
    cwd: empty,
    stdio: "pipe",
  });
  const sparePort = await freePort();
  [port, securePort] = [await freePort(), await freePort()];
  server = spawn(join(folder, "fixture"), [port, securePort, sparePort].map(String), {
    cwd: empty,
    env: {},
    stdio: "inherit",
  });
  await vi.waitFor(() => get("/plain"), { timeout: 60_000 });
}, 600_000);

afterAll(() => {
  server?.kill("SIGKILL");
  rmSync(folder, { recursive: true });
  rmSync(empty, { recursive: true });
});

const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);
const read = async (path: string): Promise<unknown> => (await get(path)).json();

describe("an executable", () => {
  it("contains its code caches and needs no other file", () => {
    expect(built.notes).toEqual([]);
    expect(readdirSync(empty).toSorted()).toEqual(["cert.pem", "key.pem"]);
  });

  it("answers a first request without loading undici or zlib", async () => {
    // The second listener has loaded TLS.
    const loaded = (await read("/loaded")) as string[];
    expect(loaded.filter((name) => /undici|zlib/.test(name))).toEqual([]);
  });

  it("contains its version and the licences", async () => {
    expect(await read("/build")).toMatchObject({ version: "1.2.3", commit: "abc", executable: true });
  });

  it("builds responses of the Fetch standard when h3 is asked for one", async () => {
    expect(await read("/web")).toEqual({ text: "ok", isResponse: true, missing: 404 });
  });

  it("loads built-in modules when they are used", async () => {
    const hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    expect(await read("/crypto")).toEqual({ hash, random: 8 });
    expect(await read("/zlib")).toEqual({ sync: "squeezed", stream: "squeezed", isClass: true });
    expect(await read("/files")).toEqual({ bytes: true });
    expect(await read("/dynamic")).toEqual({ modules: ["function", "function"] });
    expect(await read("/child")).toEqual({ said: "hello" });
    expect(await read("/tls")).toEqual({ classes: ["function", "function"] });
  });

  it("loads libraries when they are used, in a worker too", async () => {
    expect(await read("/libraries")).toMatchObject({
      matches: true,
      yaml: { a: [1] },
      failure: expect.stringContaining("closed"),
    });
    expect(await read("/worker")).toMatchObject({ matches: true, ownThread: true });
  });

  it("evaluates a library once for `import` and `load`", async () => {
    expect(await read("/shared")).toEqual({
      same: true,
      printed: "type Query {\n  a: Int\n}",
      server: "function",
    });
  });

  it("serves TLS through listhen", async () => {
    const status = await new Promise((resolve, reject) => {
      requestSecure({ port: securePort, path: "/plain", rejectUnauthorized: false }, (response) =>
        resolve(response.statusCode),
      )
        .on("error", reject)
        .end();
    });
    expect(status).toBe(200);
  });

  it("names the package that is left out when a development feature of listhen is used", async () => {
    expect(await read("/refused")).toEqual({ failure: "listhen is patched: node-forge is left out" });
  });
});
