import { afterAll, beforeAll, expect, it } from "vitest";
import { createCookieClient } from "../../../unit/services/access/oidc/cookies.ts";
import {
  clientId,
  clientSecret,
  type FakeProvider,
  openFakeProvider,
} from "../../../unit/services/access/oidc/fake-provider.ts";
import { redisOptions, sharedRedis } from "../../storage/drivers.ts";
import { type Harness, openHarness } from "../harness.ts";
import { read } from "./files.ts";

// Two nodes on one Redis behind one address: a load balancer may send each request of a sign-in to another node.
const publicUrl = "https://tools.example.com";
let fake: FakeProvider;
let nodes: Harness[];
beforeAll(async () => {
  fake = await openFakeProvider();
  const store = { driver: "redis" as const, redis: redisOptions((await sharedRedis()).url) };
  const oidc = { issuer: fake.issuer, clientId, clientSecret, accountClaim: "groups" };
  nodes = await Promise.all([0, 1].map(() => openHarness({ store, web: { read, publicUrl, oidc } })));
  await nodes[0]?.accounts.create({ name: "team-a", plan: "team" });
});
afterAll(() => Promise.all([...nodes.map((node) => node.close()), fake.close()]));

it("a sign-in that starts on one node is finished on the other, once", async () => {
  const [first, second] = nodes as [Harness, Harness];
  const load = (node: Harness, path: string, cookie = "") =>
    createCookieClient({ "X-Forwarded-Proto": "https", cookie }).visit(node.url + path);
  const started = await load(first, "/sign-in/oidc");
  const pending = started.cookies[0]?.split(";")[0] ?? "";
  const path = `/sign-in/callback?${fake.signIn(started.location ?? "")}`;
  const finished = await load(second, path, pending);
  expect([finished.status, finished.location]).toEqual([303, `${publicUrl}/settings/keys`]);
  const session = finished.cookies[1]?.split(";")[0] ?? "";
  expect(session).toMatch(/^__Host-penknife=svc_sess_/);
  // The browser's copy of the cookie, from before it was erased: the provider refuses the code.
  expect((await load(first, path, pending)).status).toBe(403);
  for (const node of nodes) {
    const headers = { cookie: session, "sec-fetch-site": "same-origin" };
    const shown = await node.get("/session", { headers });
    expect(await shown.json()).toMatchObject({ session: { account: "team-a", person: { subject: "anna" } } });
  }
});
