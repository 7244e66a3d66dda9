import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type McpHarness, openMcp } from "./open.ts";

/** Stock clients, used as in their documentation (clients/clients.js). */
interface Client {
  /** The revision of MCP in use. */
  revision(): string;
  server(): { name: string; version: string };
  list(): Promise<{ name: string }[]>;
  call(name: string, args: object): Promise<{ content: { type: string; text: string }[]; isError?: boolean }>;
  close(): Promise<void>;
}

type Create = (at: { url: string; headers: Record<string, string>; fetch: typeof fetch }) => Promise<Client>;

// Its packages are installed by the test run, so the type check does not know them.
const file = new URL("clients/clients.js", import.meta.url).href;
const { clients } = (await import(file)) as { clients: Record<string, [create: Create, revision: string]> };

/** Four servers that share nothing. */
let nodes: McpHarness[];
beforeAll(async () => {
  nodes = await Promise.all(Array.from({ length: 4 }, () => openMcp()));
});
afterAll(() => Promise.all(nodes.map((node) => node.close())));

describe.each(Object.entries(clients))("%s", (_, [create, revision]) => {
  test("each message may go to another node", async () => {
    const visited: number[] = [];
    const paths: string[] = [];
    let turn = 0;
    const client = await create({
      url: `${nodes[0]?.url}/mcp`,
      headers: {},
      fetch: (input, init) => {
        const { pathname } = new URL(input instanceof Request ? input.url : input);
        paths.push(pathname);
        visited.push(turn % 4);
        return fetch(`${nodes[turn++ % 4]?.url}${pathname}`, init);
      },
    });
    try {
      expect(client.server()).toMatchObject({ name: "penknife", version: "1.2.3" });
      expect((await client.list()).map(({ name }) => name)).toEqual([
        "run_tool",
        "find_tools",
        "run_pipeline",
      ]);
      for (let round = 0; round < 4; round++) {
        const input = { data: `[ ${round} ]` };
        const { content, isError = false } = await client.call("run_tool", { slug: "json-minifier", input });
        expect(isError).toBe(false);
        expect(content).toMatchObject([{ type: "text", text: `[${round}]` }]);
      }
      const failed = await client.call("run_tool", { slug: "json-minifier", input: { data: "[" } });
      expect(failed).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^invalid_document: /) as string }],
      });
      await expect(client.call("x", {})).rejects.toThrow(/There is no tool "x"/);
      expect(client.revision()).toBe(revision);
    } finally {
      await client.close();
    }
    expect(new Set(visited).size).toBe(4);
    expect(new Set(paths)).toEqual(new Set(["/mcp"]));
  });

  test("a wrong key ends the connection, without a search for OAuth that finds something", async () => {
    const statuses: number[] = [];
    const connecting = create({
      url: `${nodes[0]?.url}/mcp`,
      headers: { authorization: "Bearer svc_live_wrong" },
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        statuses.push(response.status);
        return response;
      },
    });
    await expect(connecting).rejects.toThrow(/401|unauthorized|malformed/i);
    expect(statuses).toContain(401);
    expect(statuses.filter((status) => status < 400)).toEqual([]);
    expect(statuses.length).toBeLessThanOrEqual(6);
  });
});
