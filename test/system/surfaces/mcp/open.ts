import type { Config } from "../../../../src/options.ts";
import { addMcp } from "../../../../src/surfaces/mcp/mcp.ts";
import { defaults } from "../../../support/defaults.ts";
import { type Harness, type HarnessOptions, openHarness } from "../harness.ts";

export interface McpHarness extends Harness {
  /** One message in the way of revision 2026-07-28, and the response. */
  send(method: string, params?: object, options?: SendOptions): Promise<Response>;
  /** The same, with the answer read. */
  ask(method: string, params?: object, options?: SendOptions): Promise<Answer>;
  /** The result of a tool. */
  call(name: string, args: object, options?: SendOptions): Promise<CallAnswer>;
}

export interface SendOptions {
  /** Replaces headers; undefined removes one. */
  headers?: Record<string, string | undefined>;
  /** The query of the URL, with the question mark. */
  query?: string;
  id?: unknown;
}

export interface Answer {
  jsonrpc: string;
  id: unknown;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

export interface CallAnswer {
  /** The text of the only block. */
  text: string;
  isError: boolean;
  structuredContent: unknown;
}

/** The members of `_meta` that every request of revision 2026-07-28 has. */
export const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** MCP over the harness of HTTP, in this process. */
export async function openMcp(
  options: HarnessOptions & { mcp?: Partial<Config["mcp"]> } = {},
): Promise<McpHarness> {
  const app = await openHarness(options);
  addMcp(app.http, { ...app.deps, mcp: { ...defaults.mcp, ...options.mcp } });

  const send: McpHarness["send"] = (method, params = {}, { headers = {}, query = "", id = 1 } = {}) => {
    const { name } = params as { name?: string };
    const all = {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": name }),
      ...headers,
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params: { _meta: meta, ...params } });
    return app.post(`/mcp${query}`, body, withoutUndefined(all));
  };
  const ask: McpHarness["ask"] = async (...args) => (await (await send(...args)).json()) as Answer;

  return {
    ...app,
    send,
    ask,
    async call(name, args, sendOptions) {
      const { result, error } = await ask("tools/call", { name, arguments: args }, sendOptions);
      if (result === undefined) throw new Error(JSON.stringify(error));
      const [block] = result["content"] as { text: string }[];
      return {
        text: block?.text ?? "",
        isError: result["isError"] === true,
        structuredContent: result["structuredContent"],
      };
    },
  };
}

const withoutUndefined = (headers: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
