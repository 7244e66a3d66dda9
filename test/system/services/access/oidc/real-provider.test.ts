import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPendingSignIn } from "../../../../../src/services/access/oidc/pending.ts";
import { createProvider } from "../../../../../src/services/access/oidc/provider.ts";
import { createCookieClient } from "../../../../unit/services/access/oidc/cookies.ts";
import { openRealProvider, type RealProvider, registered } from "./real-provider.ts";
import { testRuntime } from "../../../../support/runtime.ts";

// The client against a certified provider: with claims in userinfo, and with claims in the ID token.
const publicUrl = "http://127.0.0.1:1";
const people = { "anna-1": { name: "Anna Example", groups: ["team-a"] } };
let providers: RealProvider[];
beforeAll(async () => {
  providers = await Promise.all(
    [false, true].map((inToken) => openRealProvider({ publicUrl, people, inToken })),
  );
});
afterAll(() => Promise.all(providers.map((provider) => provider.stop())));

it.each([0, 1])("a person signs in, provider %i", async (at) => {
  const { issuer } = providers[at] as RealProvider;
  const provider = createProvider({
    ...registered,
    issuer,
    scopes: ["profile"],
    caFile: "",
    redirectUrl: `${publicUrl}/sign-in/callback`,
    signedOutUrl: `${publicUrl}/sign-in`,
    claims: ["groups"],
    version: "1.2.3",
    runtime: testRuntime({ now: () => Date.now(), monotonic: () => performance.now() }),
  });
  const pending = createPendingSignIn((count) => randomBytes(count), Date.now(), undefined);
  const browser = createCookieClient();
  const page = await browser.follow(await provider.toSignIn(pending));
  const back = await browser.follow(`${page}?name=anna-1`, publicUrl);
  const query = new URL(back).searchParams;
  expect(await provider.finish(query, pending, "192.0.2.1")).toMatchObject({
    issuer,
    subject: "anna-1",
    name: "Anna Example",
    claims: { groups: ["team-a"] },
  });
  await expect(provider.finish(query, pending, "192.0.2.1")).rejects.toMatchObject({
    kind: "refused",
    message: expect.stringContaining("invalid_grant"),
  });
  const out = await fetch((await provider.toSignOut()) ?? "");
  expect([out.status, await out.text()]).toEqual([200, expect.stringContaining("<form")]);
});
