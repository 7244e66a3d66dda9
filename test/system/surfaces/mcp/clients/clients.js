import { createMCPClient } from "@ai-sdk/mcp";
import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

// Each client as its own documentation says, behind what the test asks of all of them. This folder is a package of its own and
// not part of the type check of the project: what is in it is installed by the first test run.

const identity = { name: "penknife-test", version: "1.0.0" };

async function current({ url, headers, fetch }, mode) {
  const client = new CurrentClient(identity, { versionNegotiation: { mode } });
  await client.connect(new CurrentTransport(new URL(url), { requestInit: { headers }, fetch }));
  return {
    revision: () => client.getNegotiatedProtocolVersion(),
    server: () => client.getServerVersion(),
    list: async () => (await client.listTools()).tools,
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

async function former({ url, headers, fetch }) {
  const client = new Client(identity);
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, fetch });
  await client.connect(transport);
  return {
    revision: () => transport.protocolVersion,
    server: () => client.getServerVersion(),
    list: async () => (await client.listTools()).tools,
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

async function aiSdk({ url, headers, fetch }, options, protocol) {
  let revision;
  const noting = (input, init) => {
    revision = new Headers(init?.headers).get("mcp-protocol-version") ?? revision;
    return fetch(input, init);
  };
  const transport = { type: "http", url, headers, fetch: noting, ...protocol };
  const client = await createMCPClient({ transport, ...options });
  return {
    revision: () => revision,
    server: () => client.serverInfo,
    list: async () => (await client.listTools()).tools,
    call: (name, args) => client.callTool({ name, args, arguments: args }),
    close: () => client.close(),
  };
}

export const clients = {
  "@modelcontextprotocol/client, stateless": [(at) => current(at, { pin: "2026-07-28" }), "2026-07-28"],
  "@ai-sdk/mcp, stateless": [(at) => aiSdk(at, {}, {}), "2026-07-28"],
  "@modelcontextprotocol/sdk": [former, "2025-11-25"],
  "@modelcontextprotocol/client, with a handshake": [(at) => current(at, "legacy"), "2025-11-25"],
  "@ai-sdk/mcp, with a handshake": [
    (at) => aiSdk(at, { protocolVersionDiscovery: false }, { initialProtocolVersion: "2025-11-25" }),
    "2025-11-25",
  ],
};
