import { afterAll, beforeAll, expect, it } from "vitest";
import { call, callTool, emptyFolder, issueKey, type Server, serve } from "./harness.ts";

const folder = emptyFolder();
const patientFolder = emptyFolder();
let server: Server;
/** With a long deadline, for calls that must be answered on a busy machine. */
let patient: Server;
let key: string;

beforeAll(async () => {
  server = await serve(folder.path, { PENKNIFE_TOOLS_DEADLINE_MS: "1000" });
  patient = await serve(patientFolder.path, { PENKNIFE_TOOLS_DEADLINE_MS: "60000" });
  key = await issueKey(folder.path, "ci", "team");
});

afterAll(async () => {
  await server.stop();
  await patient.stop();
  folder.remove();
  patientFolder.remove();
});

/** Calls a tool, again while the replacement of a stopped worker is not ready (overloaded). */
async function callUntilRun(slug: string, input: object): Promise<[status: number, code: string]> {
  for (;;) {
    const { status, text } = await callTool(server, slug, input, key);
    const { code } = JSON.parse(text) as { code: string };
    if (code !== "overloaded") return [status, code];
  }
}

it("stops a regular expression that backtracks for ever, and answers the others meanwhile", async () => {
  const endless = { data: `${"a".repeat(40)}!`, pattern: "^(a|a)*$", engine: "js" };
  const started = performance.now();
  let stopped = 0;
  const bombs = Array.from({ length: 2 }, async () => {
    const outcome = await callUntilRun("regex-tester", endless);
    stopped++;
    return outcome;
  });
  let answered = 0;
  while (stopped === 0) {
    const reply = await callTool(server, "json-minifier", { data: "[1, 2]" }, key);
    expect(reply.status).toBe(200);
    answered++;
  }
  // A call that waits for a bomb is answered once, when the bomb has ended.
  expect(answered).toBeGreaterThan(1);
  for (const outcome of await Promise.all(bombs)) expect(outcome).toEqual([504, "deadline_exceeded"]);
  expect(performance.now() - started).toBeLessThan(60_000);
  const linear = await callTool(patient, "regex-tester", { ...endless, engine: "re2" });
  expect(linear.status).toBe(200);
});

it.each([
  ["calls itself for ever", "($f := function() { $f() }; $f())"],
  ["backtracks", "$match($, /^(a|a)*$/)"],
  ["waits for nothing", '{"then": /x/}'],
])("stops a JSONata query that %s", async (_, query) => {
  const input = { data: JSON.stringify(`${"a".repeat(40)}!`), query, language: "jsonata" };
  const started = performance.now();
  expect(await callUntilRun("json-query", input)).toEqual([504, "deadline_exceeded"]);
  expect(performance.now() - started).toBeLessThan(60_000);
});

it("answers a million nested brackets with the place where they pass the depth", async () => {
  const reply = await callTool(patient, "json-formatter", { data: "[".repeat(1_000_000) });
  expect(reply.status).toBe(422);
  const problem = JSON.parse(reply.text) as { code: string; errors: { line: number; column: number }[] };
  expect(problem.code).toBe("invalid_document");
  expect(problem.errors[0]?.column).toBeGreaterThan(1);
});

it("answers others while little text is made very large by nesting and indentation", async () => {
  const data = "[".repeat(9000) + "]".repeat(9000);
  const bomb = { data, indent: 10 };
  let open = 4;
  const bombs = Array.from({ length: open }, async () => {
    const outcome = await callUntilRun("json-formatter", bomb);
    open--;
    return outcome;
  });
  let answered = 0;
  while (open > 0) {
    expect((await callTool(server, "json-minifier", { data: "[1, 2]" }, key)).status).toBe(200);
    answered++;
  }
  // A call that waits for a bomb is answered once, when the bomb has ended.
  expect(answered).toBeGreaterThan(1);
  for (const [status, code] of await Promise.all(bombs)) expect([422, 504], code).toContain(status);
});

it("survives a chunked body over the limit", async () => {
  const reply = await call(`${server.url}/api/tools/json-formatter`, {
    method: "POST",
    headers: { "Content-Type": "text/plain", "Transfer-Encoding": "chunked", Authorization: `Bearer ${key}` },
    body: Buffer.alloc(11 * 1024 * 1024, 0x20),
  });
  expect(reply.status).toBe(413);
  expect(JSON.parse(reply.text)).toMatchObject({ code: "body_too_large", limit: 10_485_760 });
  expect((await callTool(server, "json-minifier", { data: "[]" }, key)).status).toBe(200);
});
