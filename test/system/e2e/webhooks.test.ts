import { execFileSync } from "node:child_process";
import { Agent } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { penknife as commandLine, shareWorkers } from "../cli/host.ts";
import { startRedis, type RedisServer } from "../storage/redis-server.ts";
import {
  answers,
  type Behaviour,
  inTurn,
  late,
  neverAnswers,
  openReceiver,
  type Receiver,
} from "../services/webhooks/receivers.ts";
import { counterOf, type Fleet, startFleet } from "./fleet.ts";
import { call, callTool, emptyFolder, type Output, penknife, serve, type Server } from "./harness.ts";
import { metricOf } from "./operate.ts";

const env = { PENKNIFE_WEBHOOKS_ALLOW_CIDRS: "127.0.0.0/8" };
/** Makes a command run in this process. */
const program = shareWorkers();

/** A deployment of either kind, seen by its operator and callers. */
interface Site {
  /** Runs a subcommand of `penknife admin`; returns its standard output. @throws Error with its standard error. */
  command(...words: string[]): Promise<string>;
  /** The same in the process of the test, from the source: a process for each takes ten times as long. */
  admin(...words: string[]): Promise<string>;
  server(): Server;
  /** Counts that many requests of an account without making them, if it can; returns how many it counted. */
  spend(account: string, count: number): Promise<number>;
  /** Stops the servers with this signal and restarts them. */
  restart(signal: NodeJS.Signals): Promise<void>;
  close(): Promise<void>;
}

const outputOf = ({ status, stdout, stderr }: Output): string => {
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
};

async function openFileSite(): Promise<Site> {
  const folder = emptyFolder();
  let server = await serve(folder.path, env);
  const here = { ...env, PENKNIFE_STORAGE_PATH: join(folder.path, "penknife-data") };
  return {
    command: async (...words) => outputOf(await penknife(folder.path, ["admin", ...words], { env })),
    admin: async (...words) => outputOf(await commandLine(["admin", ...words], { env: here, program })),
    server: () => server,
    spend: async () => 0,
    async restart(signal) {
      await server.stop(signal);
      server = await serve(folder.path, env);
    },
    async close() {
      await server.stop();
      folder.remove();
    },
  };
}

async function openRedisSite(): Promise<Site> {
  const redis: RedisServer = await startRedis(["--appendonly", "yes"]);
  const fleet: Fleet = await startFleet(redis.url, 2, env);
  return {
    command: fleet.admin,
    admin: async (...words) => outputOf(await commandLine(["admin", ...words], { env: fleet.env, program })),
    server: () => fleet.servers[0] as Server,
    async spend(account, count) {
      await redis.command("INCRBY", await counterOf(redis, account), count);
      return count;
    },
    restart: async (signal) => {
      await Promise.all([fleet.replace(0, signal), fleet.replace(1, signal)]);
    },
    async close() {
      await fleet.close();
      await redis.close();
    },
  };
}

async function receive(behave: Behaviour = answers(200)): Promise<Receiver> {
  const receiver = await openReceiver(behave);
  onTestFinished(() => receiver.close());
  return receiver;
}

const typesOf = ({ requests }: Receiver): unknown[] => requests.map(({ headers }) => headers["x-event-type"]);

/** Verifies a signature with shell tools only. */
function opensslOf(secret: string, body: string): string {
  const text = execFileSync("openssl", ["dgst", "-sha256", "-hmac", secret], { input: body }).toString();
  return /= ([0-9a-f]{64})\s*$/.exec(text)?.[1] ?? text;
}

const ways = [
  ["POST", "penknife"],
  ["PUT", "penknife"],
  ["POST", "standard-webhooks"],
  ["PUT", "standard-webhooks"],
] as const;

describe.each([
  ["one node on files", openFileSite],
  ["two nodes on Redis", openRedisSite],
])("%s", (name, open) => {
  let site: Site;
  let accounts = 0;

  beforeAll(async () => {
    site = await open();
  });

  afterAll(() => site?.close());

  /** Creates an account with an endpoint for each of these receivers. */
  async function setUp(...receivers: Receiver[]) {
    const account = `account-${++accounts}`;
    await site.admin("accounts", "create", account, "--plan", "pro");
    const secrets: string[] = [];
    for (const { url } of receivers)
      secrets.push(await site.admin("webhooks", "add", `${url}/hook`, "--account", account));
    const listed = JSON.parse(await site.admin("webhooks", "list", "--account", account, "--json")) as {
      items: { id: string; url: string }[];
    };
    const ids = receivers.map(({ url }) => listed.items.find((one) => one.url === `${url}/hook`)?.id ?? "");
    return { account, secrets, ids };
  }

  it("sends the operator's acts, signed over the exact bytes, without secrets", async () => {
    const receiver = await receive();
    const { account, secrets } = await setUp(receiver);
    const key = await site.command("keys", "issue", "--account", account, "--name", "gitlab");
    const [{ id }] = (
      JSON.parse(await site.admin("keys", "list", "--account", account, "--json")) as {
        items: [{ id: string }];
      }
    ).items;
    await site.admin("keys", "rotate", id, "--grace", "1h");
    await site.command("keys", "revoke", id, "--reason", "not needed");
    await site.admin("accounts", "disable", account);
    await expect.poll(() => receiver.requests.length).toBe(4);
    expect(typesOf(receiver).toSorted()).toEqual([
      "account.updated",
      "key.issued",
      "key.revoked",
      "key.rotated",
    ]);
    for (const { body, headers, method, path } of receiver.requests) {
      expect([method, path]).toEqual(["POST", "/hook"]);
      expect(headers["content-type"]).toBe("application/json");
      expect(headers["x-signature"]).toBe(opensslOf(secrets[0] ?? "", body));
      expect(headers["x-signature-sha256"]).toBe(headers["x-signature"]);
      expect(headers["webhook-id"]).toBe(headers["x-event-id"]);
      expect(JSON.parse(body)).toMatchObject({
        id: headers["x-event-id"],
        type: headers["x-event-type"],
        account,
      });
      expect(body).not.toContain(key);
      expect(body).not.toMatch(/whsec_|"hash"|svc_live_\w{10}/);
    }
    expect(new Set(receiver.requests.map(({ headers }) => headers["x-event-id"])).size).toBe(4);
  });

  it("reports a quota once at 80 % and once at 100 %", async () => {
    const receiver = await receive();
    const { account } = await setUp(receiver);
    const key = await site.admin("keys", "issue", "--account", account);
    const agent = new Agent({ keepAlive: true });
    const ask = (): Promise<unknown> =>
      callTool(site.server(), "json-minifier", { data: "[]" }, key, { agent });
    await ask();
    const spent = await site.spend(account, 700);
    for (let sent = spent; sent < 1050; sent += 50) await Promise.all(Array.from({ length: 50 }, ask));
    agent.destroy();
    const ofLimits = (): unknown[] => typesOf(receiver).filter((type) => String(type).startsWith("limit."));
    await expect.poll(() => ofLimits().length).toBe(2);
    await sleep(300);
    expect(ofLimits().toSorted()).toEqual(["limit.reached", "limit.warning"]);
    const warning = receiver.requests.find(({ headers }) => headers["x-event-type"] === "limit.warning");
    expect(JSON.parse(warning?.body ?? "")).toMatchObject({ account, data: { limit: 1000 } });
  });

  it("retries a failed delivery, with the same event and the next attempt number", async () => {
    const receiver = await receive(inTurn(answers(500), answers(200)));
    const { account } = await setUp(receiver);
    await site.admin("accounts", "disable", account);
    await expect.poll(() => receiver.requests.length).toBe(2);
    const [first, second] = receiver.requests;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["x-event-id"]).toBe(first?.headers["x-event-id"]);
    expect([first?.headers["x-attempt"], second?.headers["x-attempt"]]).toEqual(["1", "2"]);
    await expect
      .poll(() => site.admin("webhooks", "deliveries", "--account", account, "--state", "delivered"))
      .toContain("account.updated");
  });

  it("does not let a dead endpoint delay a good one", async () => {
    const dead = await receive(neverAnswers);
    const good = await receive();
    const { account, ids } = await setUp(dead, good);
    const words = ["keys", "issue", "--account", account];
    const began = performance.now();
    for (let index = 0; index < 12; index++) await site.admin(...words);
    await expect.poll(() => good.requests.length, { interval: 10 }).toBe(12);
    expect(dead.requests.length).toBeGreaterThan(0);
    expect(dead.requests.length).toBeLessThanOrEqual(8 + 8 * Math.ceil((performance.now() - began) / 5000));
    await site.admin("webhooks", "remove", ids[0] ?? "");
  });

  it("keeps waiting deliveries across a restart, and lets those in flight finish", async () => {
    const slow = await receive(late(1500));
    const paused = await receive();
    const { account, ids } = await setUp(slow, paused);
    await site.admin("webhooks", "pause", ids[1] ?? "");
    await site.admin("keys", "issue", "--account", account);
    await expect.poll(() => slow.requests.length, { interval: 5 }).toBe(1);
    await site.restart("SIGTERM");
    await sleep(1000);
    // It was not sent again, because the stopping server waited for the answer.
    expect(slow.requests).toHaveLength(1);
    expect(paused.requests).toEqual([]);
    await site.admin("webhooks", "resume", ids[1] ?? "");
    await expect.poll(() => typesOf(paused)).toEqual(["key.issued"]);
  });

  it("shows waiting and finished deliveries in its metrics", async () => {
    const receiver = await receive();
    const { ids } = await setUp(receiver);
    await site.admin("webhooks", "test", ids[0] ?? "");
    await expect.poll(() => metricOf(site.server(), "penknife_webhook_queue_depth")).toBe(0);
    // Any of the nodes may have sent them.
    if (name.startsWith("one")) {
      expect(
        await metricOf(site.server(), "penknife_webhook_attempts_total", 'outcome="ok"'),
      ).toBeGreaterThan(0);
      expect(
        await metricOf(site.server(), "penknife_webhook_events_total", 'type="webhook.test"'),
      ).toBeGreaterThan(0);
    }
  });

  it.each(ways)(
    "delivers to an inbox by %s, which verifies it as %s and recognizes repeated deliveries",
    async (method, scheme) => {
      const { account } = await setUp();
      const authorization = `Bearer ${await site.admin("keys", "issue", "--account", account)}`;
      const ask = async (path: string, verb = "GET", fields?: object) => {
        const reply = await call(site.server().url + path, {
          method: verb,
          headers: { authorization, ...(fields && { "content-type": "application/json" }) },
          ...(fields && { body: JSON.stringify(fields) }),
        });
        expect(reply.status).toBeLessThan(300);
        return reply;
      };
      const { id, url } = JSON.parse((await ask("/api/inboxes", "POST", { scheme })).text) as Record<
        string,
        string
      >;
      const how = method === "PUT" ? ["--put"] : [];
      const to = ["--account", account, "--events", "key.issued", ...how];
      const secret = await site.admin("webhooks", "add", `${url}/ci`, ...to);
      await ask(`/api/inboxes/${id}`, "PATCH", { secret });
      await site.admin("keys", "issue", "--account", account, "--name", "äöü ✓");
      type Message = {
        id: string;
        method: string;
        headers: [string, string][];
        [field: string]: unknown;
      };
      const messages = async (): Promise<Message[]> =>
        (JSON.parse((await ask(`/api/inboxes/${id}/messages`)).text) as { items: Message[] }).items;
      await expect.poll(async () => (await messages()).length).toBe(1);
      const [message] = await messages();
      expect(message).toMatchObject({ method, type: "key.issued", signature: "valid" });
      const { body } = await ask(`/api/inboxes/${id}/messages/${message?.id}/body`);
      const headers = new Map(message?.headers.map(([header, value]) => [header.toLowerCase(), value]));
      expect(headers.get("x-signature")).toBe(opensslOf(secret, body.toString()));
      expect(message?.["event"]).toBe((JSON.parse(body.toString()) as { id: string }).id);

      const [delivery = ""] =
        /dlv_[0-9a-f-]+/.exec(await site.admin("webhooks", "deliveries", "--account", account)) ?? [];
      await site.admin("webhooks", "redeliver", delivery);
      const duplicates = async (): Promise<unknown> =>
        (JSON.parse((await ask(`/api/inboxes/${id}`)).text) as { duplicates: number }).duplicates;
      await expect.poll(duplicates).toBe(1);
      expect(await messages()).toHaveLength(1);

      // A signature with another secret is refused.
      await ask(`/api/inboxes/${id}`, "PATCH", { secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}` });
      await site.admin("webhooks", "redeliver", delivery);
      const refused = (): Promise<string> => site.admin("webhooks", "deliveries", delivery);
      await expect.poll(refused).toMatch(/refused\s+401/);
      expect(await messages()).toHaveLength(1);
    },
  );

  it("refuses an endpoint at a private address unless it is allowed", async () => {
    const { account } = await setUp();
    for (const url of ["http://10.0.0.1/hook", "http://[::1]/hook", "http://169.254.169.254/latest"]) {
      await expect(site.admin("webhooks", "add", url, "--account", account)).rejects.toThrow(
        /webhooks\.allowCidrs/,
      );
    }
  });
});
