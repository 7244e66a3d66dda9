import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  type PendingSignIn,
  type Choice,
  createPendingSignIn,
  parseCookieValue,
  toCookieValue,
  toParameters,
} from "../../../../../src/services/access/oidc/pending.ts";

const now = Date.parse("2026-11-25T12:00:00Z");
const pending = (choice?: Choice, at = now, to?: string): PendingSignIn =>
  createPendingSignIn((count) => randomBytes(count), at, choice, to);

describe("the cookie", () => {
  it.each<[Choice | undefined]>([
    [undefined],
    [{ operator: true }],
    [{ account: "team-a" }],
    [{ account: "operator" }],
    [{ account: "a".repeat(63) }],
  ])("keeps the choice %j", (choice) => {
    const one = pending(choice);
    expect(parseCookieValue(toCookieValue([one]), now)).toEqual([one]);
  });

  it("keeps the page to return to, which is one of this server", () => {
    const one = pending({ operator: true }, now, "operator/audit");
    const value = toCookieValue([one]);
    expect(parseCookieValue(value, now)).toEqual([one]);
    for (const other of ["//evil.example", "operator/../x", "https:/evil.example", "settings/"])
      expect(parseCookieValue(value.replace("operator/audit", other), now).map(({ to }) => to)).not.toContain(
        other,
      );
  });

  it("has only characters of a cookie (RFC 6265 §4.1.1), and keeps the last four sign-ins", () => {
    const all = Array.from({ length: 6 }, (_, n) => pending({ account: `team-${n}` }));
    const value = toCookieValue(all);
    expect(value).toMatch(/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{1,600}$/);
    expect(parseCookieValue(value, now)).toEqual(all.slice(2));
  });

  it("is valid for ten minutes, by any node's clock", () => {
    const value = toCookieValue([pending()]);
    const valid = (seconds: number) => parseCookieValue(value, now + seconds * 1000).length;
    expect([-600, 0, 599, 600, 86_400].map(valid)).toEqual([1, 1, 1, 0, 0]);
  });

  it.each([
    "",
    "x",
    "~",
    `${"a".repeat(42)}.t.`,
    `${"a".repeat(43)}.t`,
    `${"a".repeat(43)}.T0.`,
    `${"a".repeat(43)}.t5oyk0.root`,
    `${"a".repeat(43)}.t5oyk0.account:A`,
    `${"a".repeat(43)}.t5oyk0.account:`,
    `${"é".repeat(43)}.t5oyk0.`,
    "~".repeat(5000),
  ])("that is %s is ignored", (value) => {
    expect(parseCookieValue(value, now)).toEqual([]);
  });

  it("may contain a sign-in beside what is none", () => {
    const one = pending();
    expect(parseCookieValue(`x~${toCookieValue([one])}~y`, now)).toEqual([one]);
  });
});

describe("the parameters", () => {
  it("are the same for any node, and of each sign-in their own", () => {
    const one = pending();
    const [copy] = parseCookieValue(toCookieValue([one]), now);
    expect(toParameters(copy as PendingSignIn)).toEqual(toParameters(one));
    const all = [one, pending()].flatMap((each) => [each.secret, ...Object.values(toParameters(each))]);
    expect(new Set(all).size).toBe(8);
  });
});
