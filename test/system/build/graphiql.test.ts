import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { BrowserFiles } from "../../../config/build/browser.ts";
import { buildGraphiql } from "../../../config/build/graphiql.ts";
import { withoutHeaders } from "../../../config/build/graphiql/storage.ts";
import { createFetcher, type Result } from "../../../config/build/graphiql/fetcher.ts";
import { cache, cachedOf } from "./cache.ts";

describe("the GraphiQL bundle", () => {
  let made: BrowserFiles;
  let script = "";
  let style = "";
  beforeAll(async () => {
    made = await buildGraphiql(cache);
    script = brotliDecompressSync(made.assets["graphiql/app.js.br"] ?? "").toString();
    style = brotliDecompressSync(made.assets["graphiql/app.css.br"] ?? "").toString();
  });

  it("is two files, small enough for the executable", () => {
    expect(Object.keys(made.assets)).toEqual(["graphiql/app.js.br", "graphiql/app.css.br"]);
    const bytes = Object.values(made.assets).map(({ length }) => length);
    expect(bytes[0]).toBeLessThan(350_000);
    expect(bytes[1]).toBeLessThan(20_000);
  });

  it("neither evaluates text as code nor creates style elements, which the page's policy would refuse", () => {
    expect(script).not.toMatch(/new Function\b|(?<![\w.$])eval\(|createElement\((["'`])style\1\)/);
  });

  it("loads nothing: its style sheet contains neither fonts nor URLs", () => {
    expect(style).not.toMatch(/@font-face|@import|url\((?!["']?data:image\/)/);
    expect(style).toContain(".graphiql-container");
  });

  it("lists the packages that it contains", () => {
    const of = (name: string): boolean => made.files.some((file) => file.includes(`/node_modules/${name}/`));
    for (const name of ["graphiql", "@graphiql/react", "react-dom", "codemirror", "graphql"])
      expect([name, of(name)]).toEqual([name, true]);
    // A WebSocket client that the page does not use.
    expect(of("graphql-ws")).toBe(false);
  });

  it("is built once for the same sources", async () => {
    const before = cachedOf("graphiql");
    expect(before).toHaveLength(1);
    const again = await buildGraphiql(cache);
    expect(again.files).toEqual(made.files);
    expect(brotliDecompressSync(again.assets["graphiql/app.js.br"] ?? "").toString()).toBe(script);
    expect(cachedOf("graphiql")).toEqual(before);
  });
});

describe("the page's storage", () => {
  const items = new Map<string, string>();
  const storage = withoutHeaders({
    get length() {
      return items.size;
    },
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
    clear: () => items.clear(),
  });
  const operation = {
    query: "{ a }",
    variables: '{"headers":"mine"}',
    headers: '{"Authorization":"Bearer s"}',
  };

  it.each([
    ["queries", { queries: [operation] }],
    ["favorites", { favorites: [operation, operation] }],
    ["tabState", { activeTabIndex: 0, tabs: [operation] }],
  ])("stores %s without their headers", (name, value) => {
    storage.setItem(`graphiql:${name}`, JSON.stringify(value));
    const kept = storage.getItem(`graphiql:${name}`) ?? "";
    expect(kept).not.toContain("Bearer");
    expect(kept).toContain(String.raw`{\"headers\":\"mine\"}`);
  });

  it("does not store the headers editor, and stores everything else unchanged", () => {
    storage.setItem("graphiql:headers", operation.headers);
    storage.setItem("graphiql:variables", operation.variables);
    expect(storage.getItem("graphiql:headers")).toBeNull();
    expect(storage.getItem("graphiql:variables")).toBe(operation.variables);
    expect(storage.length).toBe(4);
    storage.removeItem("graphiql:variables");
    storage.clear();
    expect(storage.length).toBe(0);
  });
});

// Tests the page's own fetcher against a server whose answers each test sets.
describe("the page's fetcher", () => {
  let answer: (req: IncomingMessage, res: ServerResponse, body: string) => void;
  const server = createServer((req, res) => void text(req).then((body) => answer(req, res, body)));
  let url = "";
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const json = (status: number, body: string, type = "application/json; charset=utf-8"): void => {
    answer = (_, res) => void res.writeHead(status, { "content-type": type }).end(body);
  };
  const ask = async (): Promise<Result> => (await createFetcher(url, fetch)({ query: "{ a }" })) as Result;
  const listen = async (): Promise<AsyncIterableIterator<Result>> =>
    (await createFetcher(url, fetch)({ query: "subscription { a }" })) as AsyncIterableIterator<Result>;

  it("sends the content of the editors, and the headers of the headers editor", async () => {
    let seen: unknown;
    answer = ({ method, headers }, res, body) => {
      seen = { method, body: JSON.parse(body), headers };
      res.writeHead(200, { "content-type": "application/json" }).end('{"data":{}}');
    };
    const operation = { query: "query Q { a }", operationName: "Q", variables: { b: 1 } };
    const headers = { Authorization: "Bearer x" };
    expect(await createFetcher(url, fetch)(operation, { headers })).toEqual({ data: {} });
    expect(seen).toMatchObject({
      method: "POST",
      body: operation,
      headers: {
        authorization: "Bearer x",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
    });
  });

  it("shows the errors of a refusal", async () => {
    json(401, '{"errors":[{"message":"no such key","extensions":{"code":"unknown_key"}}]}');
    expect(await ask()).toMatchObject({ errors: [{ message: "no such key" }] });
  });

  it("shows the answer of a proxy, and reports that there is no server", async () => {
    json(502, "<h1>Bad gateway</h1>", "text/html");
    expect(await ask()).toEqual({ errors: [{ message: "HTTP 502: <h1>Bad gateway</h1>" }] });
    const nowhere = createFetcher("http://127.0.0.1:1/", fetch);
    expect(await nowhere({ query: "{ a }" })).toEqual({
      errors: [{ message: expect.stringMatching(/fail/) }],
    });
  });

  it("shows numbers with the digits that were sent", async () => {
    json(200, '{"data":{"a":12345678901234567890.10,"b":1,"c":"1.0"}}');
    expect(JSON.stringify(await ask())).toBe('{"data":{"a":12345678901234567890.10,"b":1,"c":"1.0"}}');
  });

  it("reads an event stream to its end, however it is split", async () => {
    answer = async (_, res) => {
      res.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      const events = `:\n\nevent: next\ndata: {"data":{"a":"é"}}\n\n:\n\nevent: next\r\ndata: {"data":\r\ndata: {"a":2}}\r\n\r\nevent: complete\ndata:\n\n`;
      for (const byte of Buffer.from(events)) {
        res.write(Uint8Array.of(byte));
        if (byte === 10 || byte > 127) await new Promise((resolve) => setImmediate(resolve));
      }
      res.end();
    };
    const results: Result[] = [];
    for await (const result of await listen()) results.push(result);
    expect(results).toEqual([{ data: { a: "é" } }, { data: { a: 2 } }]);
  });

  it("closes the connection when the subscription is stopped while it waits", async () => {
    const closed = vi.fn<() => void>();
    answer = (_, res) => {
      res.writeHead(200, { "content-type": "text/event-stream" }).write('event: next\ndata: {"data":1}\n\n');
      res.on("close", closed);
    };
    const stream = await listen();
    expect(await stream.next()).toEqual({ done: false, value: { data: 1 } });
    const waiting = stream.next();
    await stream.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce(), { timeout: 60_000 });
  });

  it("shows why a subscription was refused, and that one was interrupted", async () => {
    json(403, '{"errors":[{"message":"not yours"}]}');
    expect(await listen()).toEqual({ errors: [{ message: "not yours" }] });
    json(200, 'event: next\ndata: {"data":1}\n\nevent: ne', "text/event-stream");
    const stream = await listen();
    await stream.next();
    expect(await stream.next()).toMatchObject({
      value: { errors: [{ message: expect.stringMatching(/ended/) }] },
    });
    expect(await stream.next()).toMatchObject({ done: true });
    answer = (_, res) => {
      res.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n", () => res.destroy());
    };
    const cut = await listen();
    expect(await cut.next()).toMatchObject({ value: { errors: [{ message: expect.any(String) }] } });
    expect(await cut.next()).toMatchObject({ done: true });
  });
});
