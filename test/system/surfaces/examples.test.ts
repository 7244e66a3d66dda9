import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CatalogTool, createCatalog } from "../../../src/catalog/catalog.ts";
import { toFlag } from "../../../src/lib/shell-words.ts";
import { addMcp } from "../../../src/surfaces/mcp/mcp.ts";
import { tools } from "../../../src/tools/index.ts";
import { isChosen } from "../../support/cases.ts";
import { defaults } from "../../support/defaults.ts";
import { penknife, shareWorkers } from "../cli/host.ts";
import { type GraphqlHarness, openGraphql } from "./graphql/open.ts";
import { meta } from "./mcp/open.ts";

// Every example over every surface, in this process. Through the executable, some of them are in test/system/e2e/matrix.test.ts.
type Example = CatalogTool["examples"][number];

const program = shareWorkers();
let app: GraphqlHarness;
let authorization: string;
beforeAll(async () => {
  app = await openGraphql({ deadlineMs: 60_000 });
  addMcp(app.http, { ...app.deps, mcp: defaults.mcp });
  authorization = `Bearer ${await app.key("team")}`;
});
afterAll(() => app.close());

const all = (await createCatalog(tools).all()).filter(({ slug }) => isChosen(slug));

const surfaces: Readonly<Record<string, (tool: CatalogTool, example: Example) => Promise<unknown>>> = {
  async REST({ slug }, { input }) {
    const response = await app.post(`/api/tools/${slug}`, JSON.stringify(input), { authorization });
    return ((await response.json()) as { result: string }).result;
  },
  async "a raw call of REST"({ slug }, { input: { data = "", ...options } }) {
    const query = Object.entries(options).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    );
    const response = await app.post(`/api/tools/${slug}?${new URLSearchParams(query)}`, String(data), {
      authorization,
      "content-type": "text/plain",
      accept: "text/plain",
    });
    return response.text();
  },
  async GraphQL({ slug }, { input }) {
    const query = "mutation ($slug: ID!, $input: JSON!) { runTool(slug: $slug, input: $input) { result } }";
    const { data, errors } = await app.ask(query, { slug, input }, { authorization });
    return errors ?? (data?.["runTool"] as { result: string } | undefined)?.result;
  },
  async MCP({ slug }, { input }) {
    const call = { name: "run_tool", arguments: { slug, input } };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { _meta: meta, ...call } };
    const response = await app.post("/mcp", JSON.stringify(message), {
      authorization,
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "run_tool",
    });
    const { result } = (await response.json()) as { result: { content: { text: string }[] } };
    return result.content[0]?.text;
  },
  async "a pipeline"({ slug }, { input: { data, ...options } }) {
    const body = { ...(data !== undefined && { data }), steps: [{ tool: slug, with: options }] };
    const response = await app.post("/api/pipelines/run", JSON.stringify(body), { authorization });
    return ((await response.json()) as { result: string }).result;
  },
  async "the command line"({ slug, exact }, { input: { data = "", ...options }, result }) {
    const words = Object.entries(options).flatMap(([name, value]) =>
      [value].flat().map((one) => `--${toFlag(name)}=${String(one)}`),
    );
    const ran = await penknife(["run", slug, ...words], { stdin: String(data), program });
    const isValid = !result.startsWith('{\n  "valid": false');
    const stdout = exact || result === "" || result.endsWith("\n") ? result : `${result}\n`;
    expect(ran).toMatchObject({ status: isValid ? 0 : 1, stdout, stderr: "" });
    return result;
  },
};

describe.each(all.map((tool) => [tool.slug, tool] as const))("%s", (_, tool) => {
  test.each(Object.entries(surfaces))("returns the results of its examples over %s", async (surface, ask) => {
    for (const example of tool.examples) {
      const answer = await ask(tool, example);
      // A model gets JSON without white space.
      const isCompact = surface === "MCP" && /^[[{]/.test(example.result) && answer !== example.result;
      if (isCompact) expect(JSON.parse(String(answer))).toEqual(JSON.parse(example.result));
      else expect(answer).toBe(example.result);
    }
  });
});
