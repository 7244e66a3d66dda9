import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createAuth } from "../../../../../src/services/access/auth.ts";
import { createSessions } from "../../../../../src/services/access/sessions/sessions.ts";
import type { Store } from "../../../../../src/storage/storage.ts";
import { refusalOf } from "../../../../unit/services/setup.ts";
import { type Child, startChild } from "../../../storage/child.ts";
import { redisOptions, sharedRedis } from "../../../storage/drivers.ts";
import { makeFolder, openTestStore } from "../../../../support/store.ts";
import { damageIn } from "../../../e2e/disk.ts";
import { ip } from "../../../../unit/services/access/sessions/setup.ts";
import { testRuntime } from "../../../../support/runtime.ts";

const fixture = new URL("./session.fixture.ts", import.meta.url).pathname;

const sessionsOf = (store: Store) =>
  createSessions({ store, runtime: testRuntime({ now: Date.now, random: (size) => randomBytes(size) }) });

async function startNode(driver: "file" | "redis", place: string): Promise<Child> {
  const node = startChild(driver, place, { fixture });
  await node.said(/^ready/);
  return node;
}

test("kill -9 right after the exchange, ten times: the session exists, and the code is used up", async () => {
  const folder = makeFolder();
  const issue = async (): Promise<string> => {
    const { store } = await openTestStore({ driver: "file", path: folder });
    const { code } = await sessionsOf(store).issueCode();
    await store.close();
    return code;
  };
  let began = 0;
  for (let round = 0; round < 10; round++) {
    const code = await issue();
    const node = await startNode("file", folder);
    node.write(`begin ${code}\n`);
    // Half of them before a token was returned: then the code may still be valid, but never yields two sessions.
    if (round % 2 === 0) await node.said(/^began/);
    else await new Promise((resolve) => setTimeout(resolve, round));
    await node.kill();
    const [, , , token] = node.lines.find((line) => line.startsWith("began"))?.split(" ") ?? [];
    expect(node.lines.filter((line) => line.startsWith("error"))).toEqual([]);

    const { store, errors } = await openTestStore({ driver: "file", path: folder });
    if (token !== undefined) {
      began += 1;
      const auth = createAuth({ store, anonymous: true, runtime: testRuntime({ now: Date.now }) });
      const credentials = { authorization: `Bearer ${token}`, authorizationCount: 1, xApiKey: false, ip };
      expect(await auth.authenticate(credentials)).toMatchObject({ kind: "session", operator: true });
      expect(await refusalOf(() => sessionsOf(store).begin(code))).toMatchObject({ code: "unknown_key" });
    }
    expect(errors).toEqual([]);
    await store.close();
    expect(damageIn({ data: folder })).toEqual([]);
  }
  expect(began).toBeGreaterThanOrEqual(5);
});

test("two nodes on Redis: a code is accepted by one of them, and a session ended on one ends on the other within 500 ms", async () => {
  const { url } = await sharedRedis();
  const { store } = await openTestStore({
    driver: "redis",
    redis: redisOptions(url, { prefix: "penknife:sessions:", isNode: false }),
  });
  const nodes = await Promise.all([startNode("redis", url), startNode("redis", url)]);
  const [one, other] = nodes as [Child, Child];
  const codes: string[] = [];
  for (let n = 0; n < 30; n++) codes.push((await sessionsOf(store).issueCode()).code);
  for (const code of codes) for (const node of nodes) node.write(`begin ${code}\n`);
  for (const code of codes) for (const node of nodes) await node.said(new RegExp(` ${code} `));
  const said = nodes.flatMap(({ lines }) => lines.map((line) => line.split(" ")));
  for (const code of codes) {
    const answers = said.filter(([, word]) => word === code);
    expect(answers.map(([answer]) => answer).toSorted()).toEqual(["began", "refused"]);
    expect(answers.find(([answer]) => answer === "refused")?.[2]).toBe("unknown_key");
  }
  expect(await store.sessions.ids()).toHaveLength(codes.length);
  expect(await store.logins.ids()).toEqual([]);

  const [, , id = "", token = ""] = said.find(([answer]) => answer === "began") ?? [];
  other.write(`who ${token}\n`);
  await other.said(new RegExp(`^is ${token} session`));
  one.write(`end ${id}\n`);
  await one.said(/^ended/);
  await new Promise((resolve) => setTimeout(resolve, 500));
  other.write(`who ${token}\n`);
  await other.said(new RegExp(`^is ${token} revoked_key`));
  const wordsOf = ({ lines }: Child): number => lines.filter((line) => line.startsWith(`is ${token}`)).length;
  expect(wordsOf(other)).toBe(2);
});
