import { expect, test } from "vitest";
import { checkProxyAuth } from "../../../../src/services/doctor/proxy-auth.ts";
import type { Config } from "../../../../src/options.ts";
import { defaults } from "../../../support/defaults.ts";
import { findingOf, troubles } from "./settings.ts";

const proxyAuth: Partial<Config["proxyAuth"]> = {
  header: "X-Forwarded-User",
  secret: "0".repeat(32),
  accountClaim: "user",
};

interface Changes {
  server: Partial<Config["server"]>;
  web?: Partial<Config["web"]>;
}

const check = ({ server, web }: Changes, auth = proxyAuth) =>
  checkProxyAuth({
    server: { ...defaults.server, ...server },
    web: { ...defaults.web, ...web },
    proxyAuth: { ...defaults.proxyAuth, ...auth },
  });

test.each<[string, Changes, string[], RegExp]>([
  [
    "a proxy on this machine",
    { server: { trustedProxies: ["127.0.0.0/8", "::1", "unix"] } },
    [],
    /People sign in/,
  ],
  [
    "one elsewhere, over plain HTTP",
    { server: { trustedProxies: ["192.0.2.7"] } },
    ["note signOn.proxy"],
    /over plain HTTP/,
  ],
  [
    "one elsewhere, over TLS",
    { server: { trustedProxies: ["192.0.2.7", "2001:db8::1/128"], tlsCert: "c.pem", tlsKey: "k.pem" } },
    [],
    /People sign in with X-Forwarded-User, from 192\.0\.2\.7/,
  ],
  [
    "a network",
    {
      server: {
        trustedProxies: ["10.0.0.0/8", "fd00::/8", "192.0.2.0/24"],
        tlsCert: "c.pem",
        tlsKey: "k.pem",
      },
    },
    ["warning signOn.proxy"],
    /as anybody from 10\.0\.0\.0\/8 and fd00::\/8 \(/,
  ],
  [
    "a public URL where nobody can sign in",
    { server: { trustedProxies: ["127.0.0.1"] }, web: { publicUrl: "http://tools.lan" } },
    ["warning signOn.proxy"],
    /begins with http:/,
  ],
  [
    "plain HTTP that the operator allows",
    {
      server: { trustedProxies: ["127.0.0.1"] },
      web: { publicUrl: "http://tools.lan", insecureCookies: true },
    },
    [],
    /./,
  ],
])("%s", (_, changes, wanted, message) => {
  const findings = check(changes);
  expect(troubles(findings)).toEqual(wanted);
  expect(findingOf(findings, "signOn.proxy")).toMatch(message);
  expect(JSON.stringify(findings)).not.toContain("0".repeat(32));
});

test("says nothing where no proxy signs people in", () => {
  expect(check({ server: { trustedProxies: ["10.0.0.0/8"] } }, {})).toEqual([]);
});
