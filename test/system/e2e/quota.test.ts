import { Agent } from "node:http";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import {
  call,
  callTool,
  emptyFolder,
  issueKey,
  penknife,
  type Reply,
  type Server,
  serve,
} from "./harness.ts";

const folder = emptyFolder();
const env = { PENKNIFE_SERVER_BODY_LIMIT: "2048" };
let server: Server;

beforeAll(async () => {
  server = await serve(folder.path, env);
});

afterAll(async () => {
  await server?.stop();
  folder.remove();
});

const input = { data: '{"a":1}' };

/** Sends `count` calls, 64 at a time. */
async function callMany(count: number, one: () => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  let left = count;
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (left-- > 0) replies.push(await one());
    }),
  );
  return replies;
}

it("answers exactly 1,000 of 1,100 concurrent requests of a pro account, and keeps the count across a restart", async () => {
  const key = await issueKey(folder.path, "pro-account");
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const replies = await callMany(1100, () => callTool(server, "json-formatter", input, key, { agent }));
  agent.destroy();
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1000);
  const refused = replies.filter((reply) => reply.status === 429);
  expect(refused).toHaveLength(100);
  const [{ headers, text }] = refused as [Reply];
  expect(headers["ratelimit-policy"]).toBe('"hour";q=1000;w=3600');
  expect(headers.ratelimit).toMatch(/^"hour";r=0;t=\d+$/);
  expect(headers["x-ratelimit-limit"]).toBe("1000");
  expect(headers["x-ratelimit-remaining"]).toBe("0");
  expect(Number(headers["x-ratelimit-reset"])).toBeGreaterThan(Date.now() / 1000);
  expect(headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  expect(headers["content-type"]).toContain("application/problem+json");
  expect(JSON.parse(text)).toMatchObject({ code: "quota_exceeded", status: 429 });
  const remaining = replies
    .filter((reply) => reply.status === 200)
    .map((reply) => reply.headers["x-ratelimit-remaining"]);
  expect(new Set(remaining).size).toBe(1000);

  expect(await server.stop()).toBe(0);
  server = await serve(folder.path, env);
  expect((await callTool(server, "json-formatter", input, key)).status).toBe(429);
  const reset = await penknife(folder.path, ["admin", "limits", "reset", "pro-account"]);
  expect(reset.status).toBe(0);
  const after = await callTool(server, "json-formatter", input, key);
  expect([after.status, after.headers["x-ratelimit-remaining"]]).toEqual([200, "999"]);
});

it("allows an anonymous address 100 requests, whatever its X-Forwarded-For", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const replies = await callMany(150, () =>
    callTool(server, "json-formatter", input, undefined, {
      agent,
      headers: { "X-Forwarded-For": `203.0.113.${Math.floor(Math.random() * 250)}` },
    }),
  );
  agent.destroy();
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(100);
  // Another address has its own window; listings are not counted.
  const other = await callTool(server, "json-formatter", input, undefined, { localAddress: "127.0.0.2" });
  expect([other.status, other.headers["x-ratelimit-remaining"]]).toEqual([200, "99"]);
  expect((await call(`${server.url}/api/tools`)).status).toBe(200);
});

it("counts the neighbours of one IPv6 /64 together and believes a trusted proxy only", async () => {
  const own = emptyFolder();
  const proxied = await serve(own.path, { PENKNIFE_SERVER_TRUSTED_PROXIES: "127.0.0.1/32" });
  onTestFinished(async () => {
    await proxied.stop();
    own.remove();
  });
  const from = (address: string) =>
    callTool(proxied, "json-formatter", input, undefined, {
      headers: { "X-Forwarded-For": address },
    });
  const remaining = async (address: string) => (await from(address)).headers["x-ratelimit-remaining"];
  expect(await remaining("2001:db8:1:2::1")).toBe("99");
  expect(await remaining("2001:db8:1:2:ffff::9")).toBe("98");
  expect(await remaining("2001:db8:1:3::1")).toBe("99");
  expect(await remaining("198.51.100.7")).toBe("99");
  expect(await remaining("6.6.6.6, 198.51.100.7")).toBe("98");
  expect(await remaining("::ffff:198.51.100.7")).toBe("97");
});

it("takes no address that a caller puts into a quoted part of Forwarded", async () => {
  const own = emptyFolder();
  const proxied = await serve(own.path, {
    PENKNIFE_SERVER_TRUSTED_PROXIES: "127.0.0.1/32",
    PENKNIFE_SERVER_PROXY_HEADER: "Forwarded",
  });
  onTestFinished(async () => {
    await proxied.stop();
    own.remove();
  });
  const remaining = async (forwarded: string) => {
    const headers = { Forwarded: forwarded };
    const reply = await callTool(proxied, "json-formatter", input, undefined, { headers });
    return reply.headers["x-ratelimit-remaining"];
  };
  expect(await remaining("for=192.0.2.1;proto=http")).toBe("99");
  // nginx writes this for a request with the Host header a,for=198.51.100.66.
  expect(await remaining('for=192.0.2.1;host="a,for=198.51.100.66"')).toBe("98");
  expect(await remaining('host="a\\",for=198.51.100.66";FOR="192.0.2.1:4711"')).toBe("97");
  expect(await remaining("for=198.51.100.66")).toBe("99");
  expect(await remaining('for="[2001:db8::1]:443"')).toBe("99");
});

it("gives a /56 of IPv6 four times the requests of an address, and not 256 times", async () => {
  const own = emptyFolder();
  const proxied = await serve(own.path, { PENKNIFE_SERVER_TRUSTED_PROXIES: "127.0.0.1/32" });
  onTestFinished(async () => {
    await proxied.stop();
    own.remove();
  });
  const statuses = await callMany(420, () => {
    const address = `2001:db8:7:${(asked++ % 256).toString(16)}::1`;
    return callTool(proxied, "json-formatter", input, undefined, { headers: { "X-Forwarded-For": address } });
  });
  expect(statuses.filter(({ status }) => status === 200)).toHaveLength(400);
  expect(statuses.filter(({ status }) => status === 429)).toHaveLength(20);
});

let asked = 0;

it("counts malformed, unknown and oversized calls, and does not count a malformed key", async () => {
  const key = await issueKey(folder.path, "careless");
  const url = `${server.url}/api/tools/json-formatter`;
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const remaining = async (reply: Promise<Reply>) => {
    const { status, headers: got } = await reply;
    return [status, got["x-ratelimit-remaining"]];
  };
  expect(await remaining(call(url, { method: "POST", headers, body: "{" }))).toEqual([400, "999"]);
  expect(await remaining(call(url, { method: "POST", headers, body: '{"data":"x"}' }))).toEqual([422, "998"]);
  expect(await remaining(call(url, { method: "POST", headers, body: Buffer.alloc(4096) }))).toEqual([
    413,
    "997",
  ]);
  expect(await remaining(callTool(server, "json-formater", input, key))).toEqual([404, "996"]);
  expect(
    await remaining(
      call(url, { method: "POST", headers: { ...headers, "Content-Type": "text/html" }, body: "x" }),
    ),
  ).toEqual([415, "995"]);
  const unknown = `${key.slice(0, 20)}${key[20] === "x" ? "y" : "x"}${key.slice(21)}`;
  expect(await remaining(callTool(server, "json-formatter", input, unknown))).toEqual([401, undefined]);
});
