import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { atHand, corpora, readCorpusFile } from "../../unit/corpora/corpus.ts";
import { cases, maxSeconds } from "../../support/cases.ts";
import { callTool, curl, emptyFolder, issueKey, penknife, type Server, serve } from "./harness.ts";

const folder = emptyFolder();
let server: Server;
let key: string;

beforeAll(async () => {
  // On a busy machine a worker may start late.
  server = await serve(folder.path, { PENKNIFE_TOOLS_DEADLINE_MS: "60000" });
  key = await issueKey(folder.path, "ci", "team");
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

// test/unit/lib/json has each without a process.
const documents = ["twitter", "citm_catalog", "canada", "github_events"];

describe.skipIf(!atHand).each(cases(documents, maxSeconds))("%s through the executable", (name) => {
  const file = `benchmark/${name}.json`;
  const path = new URL(file, corpora).pathname;
  const text = atHand ? readCorpusFile(file).toString() : "{}";
  const value = JSON.parse(text) as unknown;
  // JSON.stringify formats the numbers of canada.json differently, so its own bytes are compared.
  const lossless = JSON.stringify(value) === text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
  const expected = lossless ? JSON.stringify(value, null, 2) : undefined;
  const url = () => `${server.url}/api/tools/json-formatter`;
  const authorization = () => `Authorization: Bearer ${key}`;

  it("gives the same bytes raw, as JSON and on the command line", async () => {
    const raw = await curl([
      "--data-binary",
      `@${path}`,
      "-H",
      "Content-Type: text/plain",
      "-H",
      "Accept: text/plain",
      "-H",
      authorization(),
      `${url()}?indent=2`,
    ]);
    const json = await callTool(server, "json-formatter", { data: text, indent: 2 }, key);
    const cli = await penknife(folder.path, ["run", "json-formatter", "--indent", "2", path]);
    expect(json.status).toBe(200);
    expect(cli.status).toBe(0);
    const formatted = raw.toString();
    expect((JSON.parse(json.text) as { result: string }).result === formatted).toBe(true);
    expect(cli.stdout === `${formatted}\n`).toBe(true);
    if (expected !== undefined) expect(formatted === expected).toBe(true);
    expect(isDeepStrictEqual(JSON.parse(formatted), value)).toBe(true);
  });

  it("changes only white space when minifying", async () => {
    const minified = await penknife(folder.path, ["run", "json-minifier"], { input: text });
    const again = await penknife(folder.path, ["run", "json-minifier"], {
      input: (await penknife(folder.path, ["run", "json-formatter", "--indent", "7"], { input: text }))
        .stdout,
    });
    expect(minified.stdout === again.stdout).toBe(true);
    expect(isDeepStrictEqual(JSON.parse(minified.stdout), value)).toBe(true);
  });
});
