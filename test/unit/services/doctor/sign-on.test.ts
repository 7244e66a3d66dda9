import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { examine } from "../../../../src/services/doctor/doctor.ts";
import { checkSignOn } from "../../../../src/services/doctor/sign-on.ts";
import { type FakeProvider, openFakeProvider } from "../access/oidc/fake-provider.ts";
import { deps, findingOf, settings, troubles } from "./settings.ts";
import { testRuntime } from "../../../support/runtime.ts";

const time = Date.parse("2026-11-25T12:00:00Z");
let fake: FakeProvider;
beforeAll(async () => {
  fake = await openFakeProvider();
});
beforeEach(() => {
  fake.reset();
  fake.date = time;
});
afterAll(() => fake.close());

const configured = (publicUrl = "https://tools.example.com/penknife", issuer = fake.issuer) =>
  settings({ web: { publicUrl }, oidc: { issuer, clientId: "penknife", accountClaim: "groups" } });
const check = (config = configured(), now = time) =>
  checkSignOn(config, deps({ runtime: testRuntime({ now: () => now }) }));

it("a provider that works, with the redirect URL to register", async () => {
  const findings = await check();
  expect(troubles(findings)).toEqual([]);
  expect(findingOf(findings, "signOn.redirectUrl")).toContain(
    " https://tools.example.com/penknife/sign-in/callback.",
  );
  expect(findings.map(({ check: name }) => name)).toEqual([
    "signOn.redirectUrl",
    "signOn.provider",
    "signOn.clock",
  ]);
  expect(
    troubles(
      (await examine(configured(), deps({ runtime: testRuntime({ now: () => time }) }))).filter(
        ({ check: name }) => name.startsWith("signOn"),
      ),
    ),
  ).toEqual([]);
});

it("says nothing where no provider is configured", async () => {
  expect(await check(settings())).toEqual([]);
});

it.each([
  [0, [], /agree/],
  [-9400, [], /agree/],
  [30_000, ["warning signOn.clock"], /is 30 seconds ahead of that of the provider\./],
  [-60_000, ["error signOn.clock"], /is 60 seconds behind that of the provider: sign-ins are refused/],
])("a clock that is off by %i ms", async (at, wanted, message) => {
  const findings = await check(configured(), time + at);
  expect(troubles(findings)).toEqual(wanted);
  expect(findingOf(findings, "signOn.clock")).toMatch(message);
});

it("a public URL without HTTPS", async () => {
  expect(troubles(await check(configured("http://127.0.0.1:8787")))).toEqual(["warning signOn.redirectUrl"]);
});

it("a provider without an address to sign out", async () => {
  fake.metadata = (all) => ({ ...all, end_session_endpoint: undefined });
  expect(troubles(await check())).toEqual(["note signOn.signOut"]);
});

it("a provider that is another", async () => {
  fake.metadata = (all) => ({ ...all, issuer: "https://id.evil.example" });
  const findings = await check();
  expect(troubles(findings)).toEqual(["error signOn.provider"]);
  expect(findingOf(findings, "signOn.provider")).toContain('"issuer"');
});

it("a provider that is down", async () => {
  const gone = await openFakeProvider();
  await gone.close();
  const findings = await check(configured("https://tools.example.com", gone.issuer));
  expect(troubles(findings)).toEqual(["error signOn.provider"]);
  expect(findingOf(findings, "signOn.provider")).toContain("does not listen on that port");
});
