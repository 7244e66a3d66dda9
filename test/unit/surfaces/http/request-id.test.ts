import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createKey } from "../../../../src/services/access/key-format.ts";
import { createLoginCode } from "../../../../src/services/access/sessions/login-codes.ts";
import { sessionPrefix } from "../../../../src/services/access/sessions/session-format.ts";
import { givenRequestId } from "../../../../src/surfaces/http/request-id.ts";
import { logged } from "../../../../src/surfaces/http/request-log.ts";

const key = createKey(randomBytes);
const session = createKey(randomBytes, sessionPrefix);
const code = createLoginCode(randomBytes);
const jwt = `eyJhbGciOiJIUzI1NiJ9.${randomBytes(9).toString("base64url")}.${randomBytes(6).toString("base64url")}`;
const hex = createHash("md5").update("a").digest("hex");

describe("the request id of a caller", () => {
  test.each([
    "1",
    "mine-1",
    "job.42_build",
    "0190a5d1-7f1c-7c3e-9b1a-2f4f3a9d1c10",
    hex,
    "01J9Z3NDEKTSV4RRFFQ69G5FAV",
    "9m4e2mr0ui3e8a215n4g",
    "1-67891233-abcdef012345678912345678",
    "8f0c1d2e3a4b5c6d-FRA",
    "2N9bKDEKTSV4RRFFQ69G5FAVxyz",
    "glossary-1",
    "eye-1",
  ])("%s is kept", (id) => {
    expect(givenRequestId({ "x-request-id": id })).toBe(id);
    expect(givenRequestId({ "x-request-id": id, authorization: `Bearer ${key}` })).toBe(id);
  });

  test.each([
    ["a key", key],
    ["a key in another case", key.toUpperCase()],
    ["a key behind a word", `a-${key}`],
    ["a key without its beginning", key.slice("svc_live_".length)],
    ["a session", session],
    ["a sign-in code", code],
    ["a sign-in code as it may be typed", code.toLowerCase()],
    ["a sign-in code without hyphens", code.replaceAll("-", "")],
    ["a JWT", jwt],
    ["a GitHub token", `ghp_${hex}`],
    ["a Stripe key", `sk_live_${hex}`],
    ["an AWS key", "AKIAIOSFODNN7EXAMPLE"],
    ["characters that are not plain", "a b"],
    ["too long", "a".repeat(65)],
    ["empty", ""],
  ])("%s is not", (_, id) => expect(givenRequestId({ "x-request-id": id })).toBeUndefined());

  test("the credential of a request is never accepted as its id", () => {
    const token = randomBytes(24).toString("hex");
    expect(givenRequestId({ "x-request-id": token, authorization: `Bearer ${token}` })).toBeUndefined();
    expect(
      givenRequestId({ "x-request-id": token.slice(8), authorization: `Bearer ${token}` }),
    ).toBeUndefined();
    expect(givenRequestId({ "x-request-id": token })).toBe(token);
  });
});

describe("a path in the log", () => {
  const encode = (text: string): string =>
    text.replaceAll(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`);

  test.each([
    ["a key", key],
    ["in capitals", key.toUpperCase()],
    ["with its beginning encoded", `%73vc%5Flive_${key.slice(9)}`],
    ["encoded as a whole", encode(key)],
    ["encoded twice", encode(key).replaceAll("%", "%25")],
    ["a session", session],
    ["a JWT", jwt],
    ["a JWT, encoded", encode(jwt)],
  ])("has no secret: %s", (_, secret) => {
    const shown = logged(`/api/tools/${secret}/x`);
    const plain = decodeURIComponent(decodeURIComponent(shown));
    expect(plain).not.toMatch(new RegExp(secret.slice(-12).replaceAll(/[%.]/g, "\\$&"), "i"));
    expect(plain).not.toMatch(new RegExp(`${key.slice(-12)}|${session.slice(-12)}|${jwt.slice(-8)}`, "i"));
    expect(shown).toContain("/api/tools/");
  });

  test("is otherwise unchanged, and on one line", () => {
    for (const path of ["/api/tools/json-formatter", "/a%20b", "/svc", "/%0Ax", "/eyJ"])
      expect(logged(path)).toBe(path);
    expect(logged(`/%0A${encode(key)}`)).not.toMatch(/[\n\r]/);
  });
});
