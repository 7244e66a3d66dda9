import { describe, expect, test } from "vitest";
import { sections } from "../../../../src/options.ts";
import { createHosts } from "../../../../src/surfaces/http/hosts.ts";

describe("with an empty list", () => {
  const accepts = createHosts([]);

  test.each([
    "localhost",
    "localhost:8787",
    "LOCALHOST",
    "localhost.",
    "tools.localhost:80",
    "127.0.0.1",
    "127.9.9.9:1",
    "192.0.2.7",
    "192.0.2.7:8787",
    "[::1]",
    "[::1]:8787",
    "[2001:db8::7]",
    "[::ffff:127.0.0.1]:80",
  ])("%s is accepted", (host) => expect(accepts(host)).toBe(true));

  test.each([
    "",
    ":8787",
    "evil.example",
    "EVIL.example:8787",
    "localhost.evil.example",
    "evillocalhost",
    "127.0.0.1.evil.example",
    "127.0.0.1.nip.io",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "[]",
    "[localhost]x",
    "[evil.example]",
    "user@localhost",
    "localhost:80@evil.example",
    "localhost, evil.example",
    "evil.example..",
  ])("%j is not", (host) => expect(accepts(host)).toBe(false));
});

describe("with a list", () => {
  const accepts = createHosts(["Tools.example.com", "*.dev.example.com", "port.example.com:8443", "[::7]"]);

  test.each([
    "tools.example.com",
    "tools.example.com:1234",
    "TOOLS.EXAMPLE.COM.",
    "tools.example.com.:443",
    "a.dev.example.com",
    "a.b.dev.example.com:80",
    "port.example.com:8443",
    "localhost",
  ])("%s is accepted", (host) => expect(accepts(host)).toBe(true));

  test.each([
    "example.com",
    "a.tools.example.com",
    "tools.example.com.evil.example",
    "dev.example.com",
    ".dev.example.com",
    "evildev.example.com",
    "port.example.com",
    "port.example.com:8444",
  ])("%s is not", (host) => expect(accepts(host)).toBe(false));
});

test("* accepts every name", () => {
  const accepts = createHosts(["*"]);
  for (const host of ["evil.example", "", "a:1"]) expect(accepts(host)).toBe(true);
});

test("the answer is the same from memory, and after a flood of names", () => {
  const accepts = createHosts(["tools.example.com"]);
  const long = `${"a".repeat(5000)}.example`;
  for (let round = 0; round < 2; round++) {
    expect([accepts("tools.example.com"), accepts("evil.example"), accepts(long)]).toEqual([
      true,
      false,
      false,
    ]);
    for (let index = 0; index < 1000; index++) expect(accepts(`n${index}.example`)).toBe(false);
  }
});

describe("the option", () => {
  const validate = (host: string): string | undefined => sections.server.allowedHosts.validate([host]);

  test.each([
    "*",
    "tools",
    "tools.example.com",
    "my_service:8787",
    "*.example.com",
    "*.example.com:443",
    "[::1]:80",
  ])("accepts %s", (host) => expect(validate(host)).toBeUndefined());

  test.each([
    "",
    "https://tools.example.com",
    "tools.example.com/",
    "a.*.example.com",
    "*example.com",
    "a b",
    "tools.",
    "::1",
  ])("refuses %j", (host) => expect(validate(host)).toMatch(/host name such as tools\.example\.com/));
});
