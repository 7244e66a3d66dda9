import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { call, emptyFolder, issueKey, type Server, serve } from "../e2e/harness.ts";
import { cases, maxSeconds } from "../../support/cases.ts";
import { lint } from "./spectral.ts";

// Third-party checks of the document: linters, a client generator, and a generated client.
const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));
const work = join(root, "dist/openapi");
const document = join(work, "openapi.json");
const clientDocument = join(work, "client.json");
const privateDocument = join(work, "private.json");

const folders = [emptyFolder(), emptyFolder()] as const;
/** The operations that client/calls.ts calls. */
const called = [
  "json-formatter",
  "hash-generator",
  "uuid-generator",
  "json-schema-validator",
  "base64-encoder",
  "json-validator",
];
let server: Server;
let key: string;

beforeAll(async () => {
  mkdirSync(work, { recursive: true });
  server = await serve(folders[0].path, { PENKNIFE_TOOLS_DEADLINE_MS: "60000" });
  key = await issueKey(folders[0].path, "consumer", "team");
  const { text } = await call(`${server.url}/openapi.json`);
  writeFileSync(document, text);
  const parsed = JSON.parse(text) as { paths: Record<string, unknown> };
  const slugs = Object.keys(parsed.paths).flatMap((path) => /^\/api\/tools\/(.+)$/.exec(path)?.[1] ?? []);
  const kept = new Set([...called, ...cases(slugs, maxSeconds)]);
  const others = slugs.filter((slug) => !kept.has(slug));
  for (const slug of others) delete parsed.paths[`/api/tools/${slug}`];
  writeFileSync(clientDocument, JSON.stringify(parsed));
  // An installation with every option that changes the document.
  const options = {
    PENKNIFE_TOOLS_DISABLED: others.join(","),
    PENKNIFE_AUTH_ANONYMOUS: "false",
    PENKNIFE_METRICS_TOKEN: "a token for the metrics",
    PENKNIFE_SERVER_BASE_PATH: "/penknife",
  };
  writeFileSync(privateDocument, await readOther("/penknife", options));
}, 300_000);

afterAll(async () => {
  await server?.stop();
  for (const folder of folders) folder.remove();
});

// Spectral and the generator take as long for all tools as everything else here together, so that they get some; Redocly reads all.
it("passes Spectral's rules for OpenAPI", async () => {
  for (const file of [privateDocument, document]) expect(await lint(file)).toEqual([]);
}, 120_000);

it("is linted with rules that find faults", async () => {
  const faulty = join(work, "faulty.json");
  writeFileSync(faulty, JSON.stringify({ openapi: "3.1.0", paths: {} }));
  expect((await lint(faulty)).map(({ code }) => code)).toContain("oas3-schema");
});

it("passes Redocly's recommended rules", async () => {
  const config = ["--config", join(here, "redocly.yaml"), "--format", "json"];
  const { stdout } = await runTool("redocly", ["lint", ...config, document, privateDocument]);
  // One report after the other.
  const reports = JSON.parse(`[${stdout.replaceAll(/\}\s*\{\s*"totals"/g, '},{"totals"')}]`) as unknown;
  const fine = { totals: { errors: 0, warnings: 0 }, problems: [] };
  expect(reports).toMatchObject([fine, fine]);
}, 120_000);

it("generates a client that compiles and calls a server", async () => {
  await runTool("openapi-typescript", [clientDocument, "--output", join(work, "schema.ts")]);
  const compiled = await run(join(root, "node_modules/.bin/tsc"), ["--project", join(here, "client")]);
  expect(compiled).toMatchObject({ status: 0, stdout: "" });
  const ran = await run(process.execPath, [join(here, "client/calls.ts"), server.url, key]);
  expect([ran.stderr, ran.stdout, ran.status]).toEqual(["", "fine\n", 0]);
}, 120_000);

/** Returns the document of another installation. */
async function readOther(basePath: string, env: Record<string, string>): Promise<string> {
  const other = await serve(folders[1].path, env);
  try {
    return (await call(`${other.url}${basePath}/openapi.json`)).text;
  } finally {
    await other.stop();
  }
}

interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

async function runTool(name: string, args: readonly string[]): Promise<Ended> {
  const ended = await run(join(here, "node_modules/.bin", name), args);
  if (ended.status !== 0)
    throw new Error(`${name}: ${ended.stdout.slice(0, 4000)}${ended.stderr.slice(0, 4000)}`);
  return ended;
}

/** Runs a program to its end, without telemetry and without the network. */
async function run(file: string, args: readonly string[]): Promise<Ended> {
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folders[0].path,
    NO_COLOR: "1",
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    SCARF_ANALYTICS: "false",
    CI: "true",
  };
  return promisify(execFile)(file, args, { cwd: work, env, maxBuffer: 64e6 }).then(
    ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
    (error: Error & { code?: number; stdout: string; stderr: string }) => ({
      status: error.code ?? -1,
      stdout: error.stdout,
      stderr: error.stderr || error.message,
    }),
  );
}
