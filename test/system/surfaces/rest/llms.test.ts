import { afterEach, expect, test } from "vitest";
import { openHarness, type Harness } from "../harness.ts";

let app: Harness;
afterEach(() => app.close());

test("has a title, a summary, how to call, and one line for each tool that is served", async () => {
  app = await openHarness();
  const response = await app.get("/llms.txt");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.has("ratelimit")).toBe(false);
  const text = await response.text();
  expect(text).toMatch(/^# penknife\n\n> [A-Z]/);
  expect(text).toContain("POST /api/tools/<slug>");
  const lines = text.split("\n").filter((line) => line.startsWith("- ["));
  const tools = await app.catalog.all();
  expect(lines).toEqual(
    tools.map(({ slug, summary, aliases = "" }) => {
      const names = aliases.split(", ").slice(0, 8).join(", ");
      return `- [${slug}](/api/tools/${slug}): ${summary} (${names})`;
    }),
  );
  expect(text).toContain("GET /api/tools?search=<words>");
});

test("points below the base path", async () => {
  app = await openHarness({ http: { basePath: "/tools-of-ours" } });
  const text = await (await app.get("/llms.txt")).text();
  expect(text).toContain("POST /tools-of-ours/api/tools/<slug>");
  expect(text).toContain("GET /tools-of-ours/openapi.json");
  expect(text).toContain("](/tools-of-ours/api/tools/json-formatter): ");
  expect(text).not.toMatch(/(?<!ours)\/api\/tools/);
});

test("names GraphQL if it is served", async () => {
  app = await openHarness();
  expect(await (await app.get("/llms.txt")).text()).not.toContain("over GraphQL");
  await app.close();
  app = await openHarness({
    http: { basePath: "/ours" },
    describedGraphql: { introspection: true, graphiql: true },
  });
  const text = await (await app.get("/llms.txt")).text();
  expect(text).toContain("\n- The same tools over GraphQL, for a program: POST /ours/graphql.\n- Unknown");
});

test("names MCP if it is served", async () => {
  app = await openHarness();
  expect(await (await app.get("/llms.txt")).text()).not.toContain("Model Context Protocol");
  await app.close();
  app = await openHarness({ http: { basePath: "/ours" }, describedMcp: true });
  expect(await (await app.get("/llms.txt")).text()).toContain(
    "\n- The same tools over the Model Context Protocol, for an agent: /ours/mcp.\n",
  );
});

test("has a strong ETag, compressed or not, and HEAD", async () => {
  app = await openHarness();
  const tags = new Set<string>();
  for (const coding of ["identity", "gzip", "br"]) {
    const first = await app.get("/llms.txt", { headers: { "accept-encoding": coding } });
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[^"]+"$/);
    tags.add(tag);
    const again = await app.get("/llms.txt", { headers: { "if-none-match": tag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    await first.arrayBuffer();
  }
  expect(tags.size).toBe(3);
  const head = await app.get("/llms.txt", { method: "HEAD" });
  expect(head.status).toBe(200);
  expect((await app.post("/llms.txt", "{}")).status).toBe(405);
});
