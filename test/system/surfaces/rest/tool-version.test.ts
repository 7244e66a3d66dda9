import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../../src/catalog/tool.ts";
import { openHarness, type Harness } from "../harness.ts";

const origin = "https://ci.example.com";
const tool = defineTool({
  slug: "test-reverser",
  title: "Test reverser",
  summary: "Turn a text round.",
  version: "3.1.4",
  input: z.object({ data: z.string() }),
  examples: [],
  run({ data }) {
    if (data === "bug") throw new Error("A bug");
    return [...data].toReversed().join("");
  },
});

let app: Harness;
beforeAll(async () => {
  app = await openHarness({ tools: [tool], http: { corsOrigins: [origin], bodyLimit: 1024 } });
});
afterAll(() => app.close());

const path = "/api/tools/test-reverser";

test.each<[string, number, string, Record<string, string>]>([
  ["an answer", 200, '{"data":"ab"}', {}],
  ["an empty envelope", 400, "{}", {}],
  ["no JSON", 400, "{", {}],
  ["a form that there is not", 406, "{}", { accept: "image/png" }],
  ["a type that is not read", 415, "{}", { "content-type": "text/css" }],
  ["a body too large", 413, `{"data":"${"x".repeat(2000)}"}`, {}],
  ["a bug", 500, '{"data":"bug"}', {}],
])("%s (%i) names the version of the tool, once", async (_, status, body, headers) => {
  const response = await app.post(path, body, headers);
  expect(response.status).toBe(status);
  expect(response.headers.get("tool-version")).toBe("3.1.4");
  await response.arrayBuffer();
});

test("a page of a listed origin can read it", async () => {
  const response = await app.post(path, '{"data":"ab"}', { origin });
  expect(response.headers.get("access-control-allow-origin")).toBe(origin);
  expect(response.headers.get("tool-version")).toBe("3.1.4");
  expect(response.headers.get("access-control-expose-headers")?.split(", ")).toContain("Tool-Version");
});

test("refusals before the tool is known have none", async () => {
  const answers = [
    await app.post("/api/tools/no-such-tool", "{}"),
    await app.post(path, "{}", { authorization: "Bearer svc_live_x" }),
    await app.get(path),
    await app.get(path, { method: "PUT" }),
    await app.get("/api/tools"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 401, 200, 405, 200]);
  for (const { headers } of answers) expect(headers.has("tool-version")).toBe(false);
});
