import { describe, expect, test } from "vitest";
import { createReadProxied } from "../../../../src/services/access/proxy-person.ts";
import { defaults } from "../../../support/defaults.ts";

const secret = "0123456789abcdef0123456789abcdef";
const proxy = "192.0.2.1";

function open(changes: object = {}, trustedProxies: readonly string[] = [proxy]) {
  return createReadProxied({
    server: { ...defaults.server, trustedProxies },
    proxyAuth: {
      ...defaults.proxyAuth,
      header: "X-Forwarded-User",
      groupsHeader: "X-Forwarded-Groups",
      secret,
      ...changes,
    },
  });
}

const named = (name: string, ...more: string[]): string[] => [
  "X-Forwarded-User",
  name,
  "x-penknife-proxy-secret",
  secret,
  ...more,
];

test("reads the person and the groups, whatever the case of the headers", () => {
  const read = open();
  const rawHeaders = named("alice@example.com", "x-forwarded-groups", "payments, ,admins");
  expect(read({ peer: proxy, rawHeaders })).toEqual({
    person: { issuer: "proxy", subject: "alice@example.com" },
    claims: { user: "alice@example.com", groups: ["payments", "admins"] },
  });
  const upper = rawHeaders.map((text, at) => (at % 2 === 0 ? text.toUpperCase() : text));
  expect(read({ peer: "::ffff:192.0.2.1", rawHeaders: upper })).toEqual(read({ peer: proxy, rawHeaders }));
});

test("reads UTF-8, which Node hands over as Latin-1", () => {
  const latin = Buffer.from("Zoë Å").toString("latin1");
  expect(open()({ peer: proxy, rawHeaders: named(latin) })).toMatchObject({ person: { subject: "Zoë Å" } });
});

test("groups end at commas, and only spaces and tabs around them are ignored", () => {
  const read = open();
  const of = (groups: string) =>
    read({
      peer: proxy,
      rawHeaders: named("alice", "X-Forwarded-Groups", Buffer.from(groups).toString("latin1")),
    });
  const claims = (groups: string[]) => ({ claims: { groups } });
  expect(of("a b,\t c ,ops")).toMatchObject(claims(["a b", "c", "ops"]));
  // Everything else that `trim` removes (ECMA-262, WhiteSpace and LineTerminator), and U+0085.
  for (const space of "\v\f\u0085\u00a0\u1680\u2000\u2028\u2029\u202f\u205f\u3000\ufeff") {
    expect(of(`${space}ops,ops${space},${space}`)).toMatchObject(
      claims([`${space}ops`, `ops${space}`, space]),
    );
  }
});

test("ignores the groups unless they are configured", () => {
  const rawHeaders = named("alice", "", "operators", "X-Forwarded-Groups", "operators");
  expect(open({ groupsHeader: "" })({ peer: proxy, rawHeaders })).toMatchObject({ claims: { groups: [] } });
});

describe("nobody is named", () => {
  test.each([
    ["by another address", "192.0.2.2", named("alice")],
    ["by another address that claims to be the proxy", "192.0.2.2", named("alice", "X-Forwarded-For", proxy)],
    ["over a Unix socket that is not trusted", undefined, named("alice")],
    ["by a request without the header", proxy, ["x-penknife-proxy-secret", secret]],
    ["by an empty header", proxy, named("")],
    ["by a header of a longer name", proxy, ["X-Forwarded-User-Name", "alice"]],
    ["by a value that is the name of the header", proxy, ["X-Other", "X-Forwarded-User", "Y", "alice"]],
  ])("%s", (_what, peer, rawHeaders) => expect(open()({ peer, rawHeaders })).toBeUndefined());
});

test("the peer of a Unix socket counts if it is trusted, and then no address does", () => {
  const read = open({}, ["unix"]);
  expect(read({ peer: undefined, rawHeaders: named("alice") })).toMatchObject({
    person: { subject: "alice" },
  });
  expect(read({ peer: proxy, rawHeaders: named("alice") })).toBeUndefined();
});

describe("a trusted proxy is refused", () => {
  const long = "a".repeat(10_240);
  const bytes = Buffer.from([0x61, 0xff, 0x62]).toString("latin1");
  test.each([
    ["without a secret", ["X-Forwarded-User", "alice"], "without"],
    ["with an empty secret", ["X-Forwarded-User", "alice", "X-Penknife-Proxy-Secret", ""], "is not"],
    ["with another secret", named("alice").with(3, `${secret.slice(0, -1)}e`), "is not"],
    ["with the beginning of the secret", named("alice").with(3, secret.slice(0, -1)), "is not"],
    ["with more than the secret", named("alice").with(3, `${secret}0`), "is not"],
    ["with two secrets", named("alice", "X-Penknife-Proxy-Secret", secret), "2 times"],
    ["with two headers", named("alice", "x-forwarded-user", "mallory"), "2 times"],
    ["with two equal headers", named("alice", "x-forwarded-user", "alice"), "2 times"],
    ["with an empty header and another", named("", "x-forwarded-user", "mallory"), "2 times"],
    ["with two names in one header", named("alice, mallory"), "comma"],
    ["with a name of 10 KB", named(long), "too long"],
    ["with a tab", named("alice\tmallory"), "characters"],
    ["with a line feed", named("alice\nmallory"), "characters"],
    ["with a C1 control character in UTF-8", named(Buffer.from("a\u0085b").toString("latin1")), "characters"],
    ["with bytes that are not UTF-8", named(bytes), "UTF-8"],
    [
      "with groups in two headers",
      named("alice", "X-Forwarded-Groups", "a", "X-Forwarded-Groups", "b"),
      "twice",
    ],
    ["with groups of 20 KB", named("alice", "X-Forwarded-Groups", "a".repeat(20_000)), "too long"],
  ])("%s", (_what, rawHeaders, why) => {
    const result = open()({ peer: proxy, rawHeaders });
    expect(result).toEqual({ fault: expect.stringContaining(why) as unknown });
    // The reason is logged.
    expect(JSON.stringify(result)).not.toMatch(/alice|mallory|0123456789/);
  });
});
