import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../storage/redis-server.ts";
import { type Fleet, startFleet, tally } from "./fleet.ts";
import {
  ask,
  codeIn,
  dataOf,
  type Listening,
  listen,
  type Session,
  signInDocument,
} from "./graphql-client.ts";
import { codeAsPage, type CookieSession, listenAsPage, sendAsPage, signInAsPage } from "./cookie-client.ts";
import type { Server } from "./harness.ts";
import { codeWith } from "./operate.ts";

const updates = "subscription { events(types: [ACCOUNT_UPDATED]) { id data } }";
let redis: RedisServer;
let fleet: Fleet;
let key: string;

beforeAll(async () => {
  redis = await startRedis();
  fleet = await startFleet(redis.url, 2);
  key = await fleet.issueKey("acme", { plan: "team" });
  await fleet.operate((call) => call("accounts.create", { name: "pages", plan: "pro" }));
});

afterAll(async () => {
  await fleet?.close();
  await redis?.close();
});

/** Creates a one-time code, for the operator if no account is named. */
const loginCode = async (account?: string): Promise<string> =>
  (await fleet.operate((call) => call<{ code: string }>("login", { account }))).code;

/** Starts a settings session of an account, or of the operator. */
async function signIn(server: Server, account?: string): Promise<Session> {
  const variables = { code: await loginCode(account) };
  return ((await dataOf(server, signInDocument, { variables })) as { signIn: Session }).signIn;
}

const node = (at: number): Server => fleet.servers[at] as Server;

/** The numbers that each subscriber received, in order. */
const numbersOf = ({ heard }: Listening): unknown[] =>
  (heard as { events: { data: { account: { limit: number } } } }[]).map(
    ({ events }) => events.data.account.limit,
  );

/** Publishes a change for each number on this node. */
async function change(at: number, token: string, numbers: readonly number[]): Promise<void> {
  for (const limit of numbers)
    await dataOf(node(at), `mutation { updateAccount(name: "acme", input: { limit: ${limit} }) { name } }`, {
      token,
    });
}

/** Publishes changes until every subscriber has received one, which proves that all listen. */
async function settle(at: number, token: string, all: readonly Listening[], first: number): Promise<void> {
  for (let limit = first; all.some(({ heard }) => heard.length === 0); limit++) {
    await change(at, token, [limit]);
    await sleep(100);
  }
  await sleep(300);
  for (const { heard } of all) heard.length = 0;
}

/** Prints how long a socket outlived its credential, which is a figure of the machine as well and not asserted. */
const report = (what: string, ms: number): void =>
  void process.stdout.write(`${what}: its socket at another node closed after ${ms.toFixed(0)} ms\n`);

it("exchanges a code for one session on any node, and accepts it on both", async () => {
  const code = await loginCode("acme");
  const tries = await Promise.all(
    Array.from({ length: 24 }, (_, at) => ask(node(at % 2), signInDocument, { variables: { code } })),
  );
  // Each node allows thirty refused credentials a minute per address.
  const codes = tally(tries.map(codeIn));
  expect(codes["ok"]).toBe(1);
  expect(Object.keys(codes).toSorted()).toEqual(["ok", "unknown_key"]);
  const token = tries.find((one) => codeIn(one) === "ok")?.data.signIn.token as string;
  for (const at of [0, 1]) {
    // On a busy machine Redis may take longer than a node that has just started waits for it.
    await expect.poll(async () => codeIn(await ask(node(at), "{ viewer { kind } }", { token }))).toBe("ok");
    const { viewer } = await dataOf(node(at), "{ viewer { kind account { name } } }", { token });
    expect(viewer).toEqual({ kind: "SESSION", account: { name: "acme" } });
  }
});

it("publishes the changes of any node or command on every node, once", async () => {
  const { token } = await signIn(node(0));
  const all = await Promise.all([0, 1, 0, 1].map((at) => listen(node(at), at === 0 ? key : token, updates)));
  await settle(0, token, all, 20_000);
  await change(0, token, [30_001, 30_002]);
  await change(1, token, [30_003]);
  await fleet.admin("accounts", "set", "acme", "--limit", "30004");
  for (const one of all) {
    await expect.poll(() => numbersOf(one)).toEqual([30_001, 30_002, 30_003, 30_004]);
    await one.close();
  }
});

it("closes the connections of a credential that ends on another node", async () => {
  const { token, session } = await signIn(node(0), "acme");
  const { generateKey } = await dataOf(node(0), "mutation { generateKey(input: {}) { secret key { id } } }", {
    token,
  });
  const byKey = await listen(node(1), generateKey.secret as string, "subscription { usage { used } }");
  const bySession = await listen(node(1), token, "subscription { usage { used } }");
  expect(await codeWith(node(1), generateKey.secret as string)).toBe("ok");

  await dataOf(node(0), `mutation { revokeKey(id: "${generateKey.key.id}") { state } }`, { token });
  let at = performance.now();
  const first = await byKey.closed;
  expect(first.code).toBe(4403);
  report("key revoked", first.at - at);
  expect(await codeWith(node(1), generateKey.secret as string)).toBe("revoked_key");

  await dataOf(node(0), `mutation { revokeSession(id: "${session.id}") { id } }`, { token });
  at = performance.now();
  const second = await bySession.closed;
  expect(second.code).toBe(4403);
  report("session revoked", second.at - at);
  const refused = await ask(node(1), "{ viewer { kind } }", { token });
  expect([refused.status, codeIn(refused)]).toEqual([401, "revoked_key"]);
});

it.each([
  [
    "by revokeSession",
    "revoked_key",
    ({ cookie, id }: CookieSession) => {
      const body = { query: `mutation { revokeSession(id: "${id}") { state } }` };
      return sendAsPage(node(0), "POST", "/graphql", { cookie, body });
    },
  ],
  [
    "by DELETE /session",
    "revoked_key",
    ({ cookie }: CookieSession) => sendAsPage(node(0), "DELETE", "/session", { cookie }),
  ],
  [
    "by the operator",
    "revoked_key",
    ({ id }: CookieSession) => fleet.operate((call) => call("sessions.revoke", { id })),
  ],
  [
    "with its account",
    "account_disabled",
    async () =>
      dataOf(node(0), `mutation { disableAccount(name: "pages") { name } }`, {
        token: (await signIn(node(0))).token,
      }),
  ],
])("closes the WebSocket of a cookie whose session another node ends %s", async (how, code, end) => {
  const ended = await signInAsPage(node(0), await loginCode("pages"));
  const other = await signInAsPage(node(0), await loginCode("acme"));
  // Signed in at one node, open at the other one.
  const socket = await listenAsPage(node(1), ended.cookie);
  const kept = await listenAsPage(node(1), other.cookie);
  expect(await codeAsPage(node(1), ended.cookie)).toBe("ok");
  const closed = socket.closed().then((frame) => ({ ...frame, at: performance.now() }));

  const began = performance.now();
  await end(ended);
  const { at, ...frame } = await closed;
  report(`session ended ${how}`, at - began);
  expect(frame).toEqual({ code: 4403, reason: expect.stringMatching(`^${code}: `) as unknown });
  // A closed socket cannot be opened again, and the session has ended for every request.
  expect(await codeAsPage(node(1), ended.cookie)).toBe(code);
  await expect.poll(() => codeAsPage(node(0), ended.cookie)).toBe(code);
  await expect(listenAsPage(node(1), ended.cookie)).rejects.toThrow(code);

  // Only this session has ended.
  expect(kept.frames.filter(({ opcode }) => opcode === 8)).toEqual([]);
  expect(await codeAsPage(node(1), other.cookie)).toBe("ok");
  kept.socket.destroy();
});

it("loses a node with eight subscribers; others miss nothing, and the eight reconnect", async () => {
  const { token } = await signIn(node(1));
  const [lost, kept] = await Promise.all(
    [0, 1].map((at) => Promise.all(Array.from({ length: 8 }, () => listen(node(at), key, updates, 100)))),
  );
  await settle(1, token, [...(lost ?? []), ...(kept ?? [])], 40_000);
  const numbers = Array.from({ length: 20 }, (_, at) => 50_000 + at);
  const changing = change(1, token, numbers);
  await sleep(50);
  await fleet.replace(0, "SIGKILL");
  await changing;
  for (const one of kept ?? []) await expect.poll(() => numbersOf(one)).toEqual(numbers);
  // They missed the events in between, and receive later ones once each.
  for (const { heard } of lost ?? []) heard.length = 0;
  await settle(1, token, lost ?? [], 60_000);
  await change(1, token, [70_000, 70_001]);
  for (const one of lost ?? []) await expect.poll(() => numbersOf(one)).toEqual([70_000, 70_001]);
  expect(await fleet.metric(0, "penknife_graphql_connections")).toBe(8);
  await Promise.all([...(lost ?? []), ...(kept ?? [])].map((one) => one.close()));
  await expect.poll(() => fleet.metric(0, "penknife_graphql_connections")).toBe(0);
});
