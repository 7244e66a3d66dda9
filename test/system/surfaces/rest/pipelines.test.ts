import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openHarness, sleep, type Harness } from "../harness.ts";

let app: Harness;
let key: string;
beforeAll(async () => {
  app = await openHarness({
    pipelines: {
      "house-json.yaml":
        "steps: [{tool: base64-decoder}, {tool: json-sorter}, {tool: json-formatter, with: {indent: 1}}]",
    },
  });
  key = await app.key("team");
});
afterAll(() => app.close());

const path = "/api/pipelines/run";
const auth = (): Record<string, string> => ({ authorization: `Bearer ${key}` });
const post = (body: unknown, query = "", headers: Record<string, string> = {}) =>
  app.post(path + query, typeof body === "string" ? body : JSON.stringify(body), { ...auth(), ...headers });

interface Problem {
  code: string;
  detail: string;
  instance: string;
  limit?: number;
  nearest?: string;
  errors: { pointer: string }[];
}
const problemOf = async (response: Response) => (await response.json()) as Problem;

const metricsOf = async (from: Harness) =>
  (await (await from.get("/metrics")).text()).split("\n").filter((line) => line.startsWith("penknife_"));

const format = { tool: "json-formatter" };
const decodeAndFormat = { data: "WzFd", steps: [{ tool: "base64-decoder" }, format] };

describe("the answer", () => {
  test.each([
    ["application/json", '{"result":"[\\n  1\\n]"}', "application/json"],
    ["text/plain", "[\n  1\n]", "text/plain; charset=utf-8"],
    ["application/octet-stream", "[\n  1\n]", "application/octet-stream"],
  ])("as %s", async (accept, text, type) => {
    const response = await post(decodeAndFormat, "", { accept });
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      200,
      type,
      text,
    ]);
    expect(response.headers.get("vary")).toContain("Accept");
  });

  test("of bytes", async () => {
    const body = { data: "/w==", steps: [{ tool: "base64-decoder" }] };
    const response = await post(body, "", { accept: "application/octet-stream" });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([0xff]));
    expect(await problemOf(await post(body))).toMatchObject({
      code: "invalid_document",
      errors: [{ pointer: "/steps/0" }],
    });
  });

  test("of a check is 200 or 422", async () => {
    for (const [document, status] of [
      ["[]", 200],
      ["[1]", 422],
    ] as const) {
      const body = { data: Buffer.from(document).toString("base64"), steps: decodeAndFormat.steps };
      const response = await post(body, "?check=true");
      expect(response.status).toBe(status);
      const { result } = (await response.json()) as { result: string };
      expect(JSON.parse(result)).toMatchObject({ valid: status === 200 });
    }
  });

  test("names the step that fails", async () => {
    const response = await post({ ...decodeAndFormat, data: "WzEgMl0=" });
    expect(response.status).toBe(422);
    expect(await problemOf(response)).toMatchObject({
      code: "invalid_document",
      detail: expect.stringMatching(/^Step 2 \(json-formatter\): /),
      instance: path,
      errors: [{ pointer: expect.stringMatching(/^\/steps\/1\b/), line: 1, column: 4, offset: 3 }],
    });
  });
});

describe("malformed pipeline calls", () => {
  test.each<[string, string, Record<string, string>, string, number, string]>([
    [
      "text",
      JSON.stringify(decodeAndFormat),
      { "content-type": "text/plain" },
      "",
      415,
      "unsupported_media_type",
    ],
    ["bytes", "x", { "content-type": "application/octet-stream" }, "", 415, "unsupported_media_type"],
    [
      "another charset",
      "{}",
      { "content-type": "application/json; charset=latin1" },
      "",
      415,
      "unsupported_media_type",
    ],
    ["a compressed body", "x", { "content-encoding": "gzip" }, "", 415, "unsupported_media_type"],
    ["another form of the answer", "{}", { accept: "image/png" }, "", 406, "not_acceptable"],
    ["an option in the query", JSON.stringify(decodeAndFormat), {}, "?indent=2", 400, "unknown_field"],
    ["check of another kind", JSON.stringify(decodeAndFormat), {}, "?check=maybe", 400, "invalid_input"],
    ["no JSON", "{", {}, "", 400, "bad_json"],
    ["nothing", "", {}, "", 400, "bad_json"],
    ["no UTF-8", "\u00ff", { "x-latin1": "1" }, "", 400, "bad_json"],
    [
      "too much",
      JSON.stringify({ data: "x".repeat(1_100_000), steps: [format] }),
      {},
      "",
      413,
      "body_too_large",
    ],
  ])("%s", async (_, text, headers, query, status, code) => {
    const { "x-latin1": latin1, ...rest } = headers;
    const body = latin1 === undefined ? text : Uint8Array.from(Buffer.from(text, "latin1"));
    const response = await app.post(path + query, body, { ...auth(), ...rest });
    expect([response.status, (await problemOf(response)).code]).toEqual([status, code]);
    // A malformed call still counts as a call.
    expect(response.headers.has("ratelimit")).toBe(true);
  });

  test("another method is refused with the right one, and counts like a call of a tool", async () => {
    const get = await app.get(path, { headers: auth() });
    expect([get.status, get.headers.get("allow"), get.headers.has("ratelimit")]).toEqual([
      405,
      "POST, OPTIONS",
      false,
    ]);
    const put = await app.get(path, { method: "PUT", headers: auth() });
    expect([put.status, put.headers.has("ratelimit")]).toEqual([405, true]);
    expect((await app.get(path, { method: "OPTIONS" })).status).toBe(204);
  });

  test("an unknown tool is refused with the nearest name", async () => {
    const response = await post({ data: "", steps: [{ tool: "json-formater" }] });
    expect([response.status, await problemOf(response)]).toMatchObject([
      404,
      { code: "unknown_tool", nearest: "json-formatter", errors: [{ pointer: "/steps/0/tool" }] },
    ]);
  });

  test("a pipeline cannot be a step", async () => {
    const response = await post({ data: "", steps: [{ tool: "house-json" }] });
    expect(await problemOf(response)).toMatchObject({
      code: "invalid_input",
      detail: expect.stringContaining("house-json is a pipeline"),
      errors: [{ pointer: "/steps/0/tool" }],
    });
  });
});

describe("counting", () => {
  const left = (response: Response) => response.headers.get("x-ratelimit-remaining");

  test("one request per step", async () => {
    const authorization = `Bearer ${await app.key("pro")}`;
    const call = (body: unknown) => post(body, "", { authorization });
    expect(left(await call(decodeAndFormat))).toBe("998");
    expect(left(await call({ data: "[]", steps: [format, format, format] }))).toBe("995");
    // A malformed call is one request, one that fails on the way all of its steps.
    expect(left(await call({ data: "[]", steps: [format, { tool: "x" }] }))).toBe("994");
    expect(left(await call({ data: "[", steps: [format, format, format] }))).toBe("991");
    expect(left(await app.post("/api/tools/house-json", '{"data":"WzFd"}', { authorization }))).toBe("988");
  });

  test("an operation beyond the quota is refused before anything runs, with the remaining quota", async () => {
    const authorization = `Bearer ${await app.key("pro")}`;
    const twenty = { data: "[]", steps: Array.from({ length: 20 }, () => format) };
    for (let calls = 0; calls < 49; calls++) await post(twenty, "", { authorization });
    expect(left(await post({ ...twenty, steps: twenty.steps.slice(0, 10) }, "", { authorization }))).toBe(
      "10",
    );
    const before = app.runs.length;
    const refused = await post(twenty, "", { authorization });
    expect(refused.status).toBe(429);
    expect(left(refused)).toBe("9");
    expect(refused.headers.get("ratelimit")).toMatch(/^"hour";r=9;t=\d+$/);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3000);
    expect(await problemOf(refused)).toMatchObject({
      code: "quota_exceeded",
      detail: expect.stringMatching(/needs 19 more requests, but 9 of the quota of 1000 an hour are left/),
      limit: 1000,
    });
    expect(app.runs.length).toBe(before);
    expect(left(await post({ ...twenty, steps: [format] }, "", { authorization }))).toBe("8");
  });

  test("the metrics count each step", async () => {
    const own = await openHarness();
    try {
      await own.post(path, JSON.stringify(decodeAndFormat));
      const metrics = await metricsOf(own);
      for (const line of [
        'penknife_limit_decisions_total{plan="free",decision="allowed"} 2',
        'penknife_tool_runs_total{tool="base64-decoder",outcome="ok"} 1',
        'penknife_tool_runs_total{tool="json-formatter",outcome="ok"} 1',
        'penknife_http_requests_total{method="POST",route="/api/pipelines/run",status="200"} 1',
      ])
        expect(metrics).toContain(line);
    } finally {
      await own.close();
    }
  });
});

describe("hostile pipelines", () => {
  const endless = { tool: "regex-tester", with: { pattern: "^(a|a)*$", engine: "js" } };

  test("a step that never ends is stopped at its own deadline, and named", async () => {
    const own = await openHarness({ deadlineMs: 10_000 });
    onTestFinished(() => own.close());
    // The deadline includes the start of a worker, so one is started first.
    const warm = { data: "a", ...endless.with };
    await expect
      .poll(async () => (await own.post("/api/tools/regex-tester", JSON.stringify(warm))).status)
      .toBe(200);
    const steps = [{ tool: "line-sorter" }, ...Array.from({ length: 19 }, () => endless)];
    const response = await own.post(path, JSON.stringify({ data: `${"a".repeat(60)}!`, steps }));
    expect([response.status, await problemOf(response)]).toMatchObject([
      504,
      {
        code: "deadline_exceeded",
        detail: expect.stringContaining("Step 2 (regex-tester)"),
        errors: [{ pointer: "/steps/1" }],
      },
    ]);
  });

  test("a document that grows from step to step is refused at the limit of a body", async () => {
    const steps = Array.from({ length: 20 }, () => ({ tool: "hex-encoder" }));
    const response = await post({ data: "x".repeat(1000), steps });
    expect([response.status, await problemOf(response)]).toMatchObject([
      422,
      {
        code: "invalid_document",
        // The limit of this server is 1 MiB, which the eleventh doubling exceeds.
        detail: "Step 11 (hex-encoder): The result has 2048000 bytes; the next step takes at most 1048576.",
        limit: 1_048_576,
        errors: [{ pointer: "/steps/10" }],
      },
    ]);
  });

  test("a megabyte of steps is refused in one pass", async () => {
    const steps = (count: number) =>
      `{"data":"","steps":[${Array.from({ length: count }, () => "{}").join(",")}]}`;
    expect(await problemOf(await post(steps(40_000)))).toMatchObject({
      code: "invalid_input",
      errors: [{ pointer: "/steps" }],
    });
    expect(await problemOf(await post(steps(300_000)))).toMatchObject({
      code: "invalid_input",
      limit: 100_000,
    });
    const deep = `{"data":"","steps":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    expect(await problemOf(await post(deep))).toMatchObject({ code: "invalid_input" });
  });

  test("work stops for a client that disconnects", async () => {
    const slow = { tool: "regex-tester", with: { pattern: "^(a|a)*$", engine: "js" } };
    const body = JSON.stringify({
      data: "a".repeat(60) + "!",
      steps: Array.from({ length: 20 }, () => slow),
    });
    const before = app.runs.length;
    const raw = app.raw(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await sleep(300);
    raw.socket.destroy();
    await sleep(1200);
    expect(app.runs.slice(before).map(({ slug, outcome }) => [slug, outcome])).toEqual([
      ["regex-tester", "cancelled"],
    ]);
  });
});

describe("a named pipeline", () => {
  test("is called, listed and described as a tool", async () => {
    const json = await app.post("/api/tools/house-json", '{"data":"eyJiIjoxLCJhIjoyfQ=="}', auth());
    expect([json.status, json.headers.get("tool-version"), await json.json()]).toEqual([
      200,
      "1.0.0",
      { result: '{\n "a": 2,\n "b": 1\n}' },
    ]);
    const raw = await app.post("/api/tools/house-json?check=true", "WzFd", {
      ...auth(),
      "content-type": "text/plain",
      accept: "text/plain",
    });
    expect(raw.status).toBe(422);
    const bytes = await app.post("/api/tools/house-json", "WzFd", {
      ...auth(),
      "content-type": "application/octet-stream",
      accept: "text/plain",
    });
    expect(await bytes.text()).toBe("[\n 1\n]");
    const { items } = (await (await app.get("/api/tools")).json()) as {
      items: { slug: string; category: string }[];
    };
    expect(items.at(-1)).toMatchObject({ slug: "house-json", category: "pipelines", checkable: true });
    expect(await (await app.get("/api/tools/house-json")).json()).toMatchObject({
      slug: "house-json",
      input: { required: ["data"] },
      steps: ["base64-decoder", "json-sorter", "json-formatter"],
    });
    expect(await (await app.get("/llms.txt")).text()).toContain("- [house-json](/api/tools/house-json): ");
    expect(await metricsOf(app)).toContainEqual(
      expect.stringMatching(/^penknife_tool_runs_total\{tool="house-json",outcome="ok"\} \d+$/),
    );
  });

  test("accepts a large document in any form", async () => {
    const list = JSON.stringify(Array.from({ length: 40_000 }, (_, index) => index));
    const data = Buffer.from(list).toString("base64");
    const result = JSON.stringify(JSON.parse(list), null, 1);
    const json = await app.post("/api/tools/house-json", JSON.stringify({ data }), auth());
    expect(((await json.json()) as { result: string }).result).toBe(result);
    const raw = await app.post("/api/tools/house-json", data, {
      ...auth(),
      "content-type": "text/plain",
      accept: "text/plain",
    });
    expect(await raw.text()).toBe(result);
    const steps = await post(
      { data, steps: [{ tool: "base64-decoder" }, { tool: "json-formatter", with: { indent: 1 } }] },
      "",
      { accept: "text/plain" },
    );
    expect(await steps.text()).toBe(result);
  });

  test("refuses an option, and names the step that fails", async () => {
    const refused = await app.post("/api/tools/house-json", '{"data":"","indent":1}', auth());
    expect(await problemOf(refused)).toMatchObject({
      code: "unknown_field",
      errors: [{ pointer: "/indent" }],
    });
    const failed = await app.post("/api/tools/house-json", '{"data":"e30x"}', auth());
    expect(await problemOf(failed)).toMatchObject({
      code: "invalid_document",
      detail: expect.stringContaining("Step 2 (json-sorter): "),
      errors: [{ pointer: "/steps/1", line: 1, column: 3 }],
    });
  });

  test("half a surrogate pair survives a worker", async () => {
    const steps = [
      { tool: "text-replacer", with: { find: "a", replace: "b" } },
      { tool: "string-escaper", with: { language: "json", ascii: true } },
    ];
    const response = await post({ data: "\ud800a", steps });
    expect(await response.json()).toEqual({ result: "\\ud800b" });
  });
});
