import { Client as CurrentClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as CurrentTransport } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

// Clients that start a server as a process; see clients.js.

const identity = { name: "penknife-test", version: "1.0.0" };

async function open(client, transport) {
  const stderr = [];
  const errors = [];
  transport.stderr?.on("data", (chunk) => stderr.push(String(chunk)));
  // What is not a message of the protocol is reported here.
  Object.assign(client, { onerror: (error) => errors.push(String(error)) });
  await client.connect(transport);
  return {
    server: () => client.getServerVersion(),
    list: async () => (await client.listTools()).tools,
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
    stderr: () => stderr.join(""),
    errors: () => errors,
  };
}

const current = (server, mode) =>
  open(
    new CurrentClient(identity, { versionNegotiation: { mode } }),
    new CurrentTransport({ ...server, stderr: "pipe" }),
  );

export const clients = {
  "@modelcontextprotocol/client, stateless": (server) => current(server, { pin: "2026-07-28" }),
  "@modelcontextprotocol/client, with a handshake": (server) => current(server, "legacy"),
  "@modelcontextprotocol/client, which finds out": (server) => current(server, "auto"),
  "@modelcontextprotocol/sdk": (server) =>
    open(new Client(identity), new StdioClientTransport({ ...server, stderr: "pipe" })),
};
