import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { call, type Reply, type Send, type Server } from "../system/e2e/harness.ts";
import { formatWorst, queryBombs, rawDocuments, wideInputs } from "./documents.ts";
import { type LanguageInput, languageInputs } from "./language-inputs.ts";

/** The server under attack, and the attacker's credentials. */
export interface Target {
  server: Server;
  /** A team's key, for attacks that an anonymous quota would end. */
  key: string;
  /** The public address of an inbox. */
  inbox?: string;
}

export interface Attack {
  name: string;
  /** Whether only `make test-long` runs it, because another attack reaches the same limits. */
  long?: true;
  /**
   * Runs the attack once. Resolves when every request is answered or its connection has ended; requests and time are
   * bounded.
   * @param from A loopback address that no other attack uses, so that their quotas are separate.
   */
  run(target: Target, from: string): Promise<unknown>;
}

const json = { "Content-Type": "application/json" };
const text = { "Content-Type": "text/plain" };

/** Returns the status, or 0 for a closed connection: the server may end an attack either way. */
const anyEnd = async (reply: Promise<Reply>): Promise<number> =>
  reply.then(
    ({ status }) => status,
    () => 0,
  );

const post = (url: string, body: string | Uint8Array, send: Send): Promise<number> =>
  anyEnd(call(url, { method: "POST", body, ...send }));

const tool = ({ server }: Target, slug: string, input: object, send: Send): Promise<number> =>
  post(`${server.url}/api/tools/${slug}`, JSON.stringify(input), {
    ...send,
    headers: { ...json, ...send.headers },
  });

const graphql = ({ server }: Target, body: object, send: Send): Promise<number> =>
  post(`${server.url}/graphql`, JSON.stringify(body), { ...send, headers: { ...json, ...send.headers } });

const asTeam = (target: Target): Record<string, string> => ({ Authorization: `Bearer ${target.key}` });

/** Runs the same work `count` times at once. */
const atOnce = (count: number, run: (index: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

const runTool = "mutation run($slug: ID!, $input: JSON!) { runTool(slug: $slug, input: $input) { result } }";

/** Sends queries over POST /graphql, all at once. */
export const bombsOverPost = (name: string, bombs: typeof queryBombs): Attack => ({
  name,
  run: (target, localAddress) =>
    atOnce(bombs.length, (index) =>
      graphql(
        target,
        { query: runTool, variables: { slug: "json-query", input: bombs[index]?.input } },
        { localAddress },
      ),
    ),
});

/** Sends inputs to the tools that they are for, all at once. */
export const inputsAtOnce = (name: string, inputs: readonly LanguageInput[]): Attack => ({
  name,
  run: (target, localAddress) =>
    atOnce(inputs.length, (index) => {
      const { slug, input } = inputs[index] as LanguageInput;
      return tool(target, slug, input(), { localAddress, headers: asTeam(target) });
    }),
});

function largeDocuments(count: number): Attack {
  return {
    name: `${count} large documents of two-byte text at once`,
    run: (target, localAddress) => {
      const body = Buffer.from(`["${"一".repeat(3_000_000)}"]`);
      const slugs = ["json-sorter", "base64-encoder", "json-to-yaml", "string-escaper"];
      return atOnce(count, (index) =>
        post(`${target.server.url}/api/tools/${slugs[index % slugs.length]}`, body, {
          localAddress,
          headers: { ...text, ...asTeam(target) },
        }),
      );
    },
  };
}

/** Every known attack, and variants of each. */
export const attacks: readonly Attack[] = [
  ...queryBombs.map(({ name, input }) => ({
    name: `query bomb: ${name}`,
    // `query bombs over POST /graphql` sends all of them.
    long: true as const,
    run: (target: Target, localAddress: string) => tool(target, "json-query", input, { localAddress }),
  })),
  {
    ...bombsOverPost("query bombs over POST /graphql", queryBombs),
    // test/system/e2e/siege.test.ts sends some of them, and test/system/e2e/memory.test.ts some, one kind after the other.
    long: true,
  },
  {
    name: "query bombs over GET /graphql",
    long: true,
    run: (target, localAddress) =>
      atOnce(queryBombs.length, (index) => {
        const { data, query, language } = queryBombs[index]?.input ?? {};
        const document = `{ run { jsonQuery(input: { data: ${JSON.stringify(data)}, query: ${JSON.stringify(query)}, language: ${language?.toUpperCase()} }) { result } } }`;
        const search = new URLSearchParams({ query: document });
        return anyEnd(
          call(`${target.server.url}/graphql?${search}`, {
            localAddress,
            headers: { "GraphQL-Require-Preflight": "1" },
          }),
        );
      }),
  },
  ...formatWorst.map(({ name, slug, input, times }) => ({
    name: `${name}, ${times} times`,
    // test/system/e2e/memory.test.ts sends the same.
    long: true as const,
    async run(target: Target, localAddress: string) {
      for (let count = 0; count < times; count++) await tool(target, slug, input, { localAddress });
    },
  })),
  ...wideInputs.map(({ name, slug, input }) => ({
    name,
    run: (target: Target, localAddress: string) =>
      atOnce(8, () => tool(target, slug, input, { localAddress })),
  })),
  ...rawDocuments.map(({ name, long, document }) => ({
    name: `${name}, to every reader of documents`,
    ...(long && { long }),
    async run(target: Target, localAddress: string) {
      const body = document();
      const slugs = [
        "json-formatter",
        "json-sorter",
        "yaml-to-json",
        "xml-formatter",
        "toml-to-json",
        "csv-to-json",
        "sql-formatter",
      ];
      await atOnce(slugs.length, (index) =>
        post(`${target.server.url}/api/tools/${slugs[index]}`, body, { localAddress, headers: text }),
      );
    },
  })),
  {
    ...inputsAtOnce("the worst inputs of queries, editors and merges", languageInputs),
    // test/system/e2e/siege.test.ts sends some of them.
    long: true,
  },
  largeDocuments(8),
  { ...largeDocuments(32), long: true },
  {
    name: "30 aliases of costly tools in one document",
    run: (target, localAddress) => {
      const ranges = Array.from(
        { length: 600 },
        (_, index) => `1.0.${index % 256}.1-9.${index % 256}.3.7`,
      ).join("\n");
      const fields = Array.from(
        { length: 30 },
        (_, index) => `a${index}: ipRangeToCidr(input: { data: $data }) { result }`,
      );
      const query = `query q($data: String!) { run { ${fields.join(" ")} } }`;
      return graphql(
        target,
        { query, variables: { data: ranges } },
        { localAddress, headers: asTeam(target) },
      );
    },
  },
  {
    name: "60,000 unknown members of a GraphQL input",
    run: (target, localAddress) => {
      const input = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`m${index}`, index]));
      return graphql(
        target,
        { query: runTool, variables: { slug: "json-formatter", input } },
        { localAddress },
      );
    },
  },
  {
    name: "documents after the quota is spent",
    // test/system/e2e/spent-callers.test.ts sends such documents.
    long: true,
    async run(target, localAddress) {
      const query = `{ ${Array.from({ length: 1500 }, (_, index) => `viewer { kind } # ${index}`).join("\n")} }`;
      for (let count = 0; count < 150; count++) await graphql(target, { query }, { localAddress });
    },
  },
  {
    name: "500 pipelined requests on each of 20 connections",
    // test/system/e2e/fair-loop.test.ts sends more of them.
    long: true,
    run: ({ server }, from) =>
      atOnce(20, () =>
        talk(
          server,
          from,
          ["/metrics", "/openapi.json", "/api/tools", "/nothing", "/docs"].map(get).join("").repeat(100),
          4000,
        ),
      ),
  },
  {
    name: "pipelined requests whose answers nobody reads",
    run: ({ server }, from) =>
      atOnce(20, () =>
        talk(server, from, get("/openapi.json").repeat(2000), 3000, (socket) => socket.pause()),
      ),
  },
  {
    name: "200 messages on a WebSocket",
    run: (target) => subscribeMuch(target),
  },
  {
    name: "3,072 silent sockets of one address",
    async run({ server }, from) {
      const sockets: Socket[] = [];
      for (let batch = 0; batch < 12; batch++) {
        for (let one = 0; one < 256; one++) sockets.push(silent(server, from));
        await sleep(50);
      }
      await sleep(2000);
      for (const socket of sockets) socket.destroy();
    },
  },
  {
    name: "slow heads and slow bodies",
    async run({ server }, from) {
      const head =
        "POST /api/tools/json-formatter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n";
      await atOnce(200, async (index) => {
        const socket = silent(server, from);
        socket.write(index % 2 === 0 ? head : `${head}\r\n[`);
        for (let beat = 0; beat < 10 && !socket.destroyed; beat++) {
          await sleep(200);
          socket.write(index % 2 === 0 ? `X-${beat}: 1\r\n` : "1,");
        }
        socket.destroy();
      });
    },
  },
  {
    name: "callers who hang up in the middle of an isolated call",
    async run(target, from) {
      const body = JSON.stringify({ data: `"${"a".repeat(40_000)}"`, pattern: "(a|a)*$", engine: "js" });
      const request = `POST /api/tools/regex-tester HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      for (let round = 0; round < 5; round++) await atOnce(8, () => talk(target.server, from, request, 50));
    },
  },
  {
    name: "a page of another site, and a name that is not ours",
    run: ({ server }, localAddress) =>
      atOnce(30, async (index) => {
        const site =
          index % 2 === 0
            ? { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }
            : { Host: "evil.example" };
        await post(`${server.url}/api/tools/json-formatter`, "[1]", {
          localAddress,
          headers: { ...text, ...site },
        });
        await anyEnd(call(`${server.url}/graphql?query={viewer{kind}}`, { localAddress, headers: site }));
      }),
  },
  {
    name: "70 messages of a megabyte to an inbox",
    async run({ inbox }, localAddress) {
      if (inbox === undefined) return;
      // More than `inbox.maxMb`.
      const body = `{"id":"order_1","pad":"${"x".repeat(1_000_000)}"}`;
      for (let count = 0; count < 70; count++) await post(inbox, body, { localAddress, headers: json });
    },
  },
];

const get = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: br\r\n\r\n`;

function silent({ port }: Server, localAddress: string): Socket {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  // A refused, reset or closed connection counts as an answer.
  return socket.on("error", () => {}).on("data", () => {});
}

/** Writes bytes to a connection and reads from it, for at most so many milliseconds. */
async function talk(
  server: Server,
  from: string,
  bytes: string,
  forMs: number,
  prepare: (socket: Socket) => unknown = () => {},
): Promise<void> {
  const socket = silent(server, from);
  prepare(socket);
  socket.write(bytes);
  const ended = once(socket, "close").catch(() => undefined);
  await Promise.race([ended, sleep(forMs)]);
  socket.destroy();
  await ended;
}

async function subscribeMuch({ server }: Target): Promise<void> {
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  const closed = new Promise((resolve) => {
    socket.addEventListener("close", resolve);
    socket.addEventListener("error", resolve);
  });
  socket.addEventListener("open", () => {
    socket.send(JSON.stringify({ type: "connection_init" }));
  });
  socket.addEventListener("message", ({ data }) => {
    if (!String(data).includes("connection_ack")) return;
    const fields = Array.from({ length: 500 }, (_, index) => `viewer { kind plan } # ${index}`).join("\n");
    for (let id = 0; id < 200; id++)
      socket.send(JSON.stringify({ id: String(id), type: "subscribe", payload: { query: `{ ${fields} }` } }));
  });
  await Promise.race([closed, sleep(5000)]);
  socket.close();
}
