import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import tool from "../../../../src/tools/text/text-redactor.ts";
import { execute } from "../../../../src/catalog/execute.ts";
import { context, refusalOf, runTool } from "../run-tool.ts";

// Concatenated here, so that no scanner reports this file as a leak.
const key = `AKIA${"ABCDEFGHIJKLMNOP"}`;
const jwt = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NSJ9", "c2lnbmF0dXJlc2lnbmF0dXJl"].join(".");
const begin = ["-----BEGIN RSA PRIVATE", "KEY-----"].join(" ");
const end = ["-----END RSA PRIVATE", "KEY-----"].join(" ");

test.each([
  ["nothing here", "nothing here"],
  ["Ada <ada.l+x@mail.example.co.uk>, zoë@exämple.de.", "Ada <[email]>, [email]."],
  ["a@b a@@b.c @x.y", "a@b a@@b.c @x.y"],
  // RFC 5322 §3.2.3, and signs that separate fields more often than they are part of a name.
  ["<ann.o'neil+tag@sub.example.com>, !#$%&'*+-/=?^_`{|}~@example.org", "<[email]>, [email]"],
  ["?email=ann@x.com&b='bob@x.com' `c@x.com` |d@x.com|", "?email=[email]&b='[email]' `[email]` |[email]|"],
  ["ann%40example.com /u?m=ann%2Bx%40example.com&x=1", "[email] /u?m=[email]&x=1"],
  [
    "pkg@1.2.3 react@19.0.0-rc.1 @types/node@22.10.1 logo@2x.png",
    "pkg@1.2.3 react@19.0.0-rc.1 @types/node@22.10.1 logo@2x.png",
  ],
  ["10.0.0.1 1.2.3.4:80 (192.0.2.255).", "[ip] [ip]:80 ([ip])."],
  ["1.2.3 256.1.1.1 v1.2.3.4 1.2.3.4.5 1.2.3.4a", "1.2.3 256.1.1.1 v1.2.3.4 1.2.3.4.5 1.2.3.4a"],
  ["::1 [2001:db8::7]:80 ::ffff:192.0.2.1 fe80::1%eth0", "[ip] [[ip]]:80 [ip] [ip]%eth0"],
  ["12:30:45 std::vec a::b :: 1.2.3", "12:30:45 std::vec a::b :: 1.2.3"],
  ["de:ad:be:ef:00:01 DE-AD-BE-EF-00-01 dead.beef.0001", "[mac] [mac] [mac]"],
  [
    "de:ad:be:ef:00:01:02 12:30:45:50 x-de-ad-be-ef-00-01",
    "de:ad:be:ef:00:01:02 12:30:45:50 x-de-ad-be-ef-00-01",
  ],
  ["+49 30 123456, +1 (555) 123-4567 +442071838750", "[phone], [phone] [phone]"],
  ["(555) 123-4567 555-123-4567 555.123.4567", "[phone] [phone] [phone]"],
  ["020 7946 0958, 07700 900123; 0171 1234567, 0049 30 123456", "[phone], [phone]; [phone], [phone]"],
  ["01 23 45 67 89, 03-1234-5678; (11) 91234-5678, 138 1234 5678", "[phone], [phone]; [phone], [phone]"],
  [
    "10 20 30 40 50 0010 4865 1234 0123 4567 8901 2345 08:30:00",
    "10 20 30 40 50 0010 4865 1234 0123 4567 8901 2345 08:30:00",
  ],
  ["+1234 1+15551234567 2026-01-02 123-456-78901 +12", "+1234 1+15551234567 2026-01-02 123-456-78901 +12"],
  ["4111111111111111 4111-1111-1111-1111", "[card] [card]"],
  ["4111111111111112 0000000000000000 1767225600000", "4111111111111112 0000000000000000 1767225600000"],
  ["378282246310005 3782 822463 10005 5555555555554444 3530111333300000", "[card] [card] [card] [card]"],
  // An issuer's range and length, and the groups of a card.
  ["2026-01-02 20260102030405 01/02/2026 12:30", "2026-01-02 20260102030405 01/02/2026 12:30"],
  [
    "4111 1111-1111 1111 41111 11111 111111 9999999999999995",
    "4111 1111-1111 1111 41111 11111 111111 9999999999999995",
  ],
  ["GB82 WEST 1234 5698 7654 32 / DE89370400440532013000", "[iban] / [iban]"],
  ["GB83 WEST 1234 5698 7654 32", "GB83 WEST 1234 5698 7654 32"],
  [`Authorization: Bearer ${jwt}`, "Authorization: Bearer [jwt]"],
  [`id ${key}, again ${key}`, "id [key], again [key]"],
  [`${begin}\nProc-Type: 4,ENCRYPTED\n\nMIIB+/=\n${end}\nafter`, "[key]\nafter"],
  [`{"key":"${begin}\\nMIIB\\n${end}\\n"}`, '{"key":"[key]\\n"}'],
  [`${begin}\nMIIB\n\nnot base64!`, "[key] base64!"],
  ["mysql://root:hunter2pass@db/x", "mysql://root:[key]@db/x"],
  ["DB_PASSWORD=>a<b>c</d>=~\nX=1", "DB_PASSWORD=[assignment]\nX=1"],
  ["pwd: 'xr_b=jd2-f<A?q+pR'", "pwd: '[assignment]'"],
])("%j becomes %j", async (data, result) => {
  expect(await runTool(tool, { data })).toBe(result);
});

test("applies `kinds` and `mask`", async () => {
  const data = `a@b.example 10.0.0.1 ${key}`;
  expect(await runTool(tool, { data, kinds: ["email", "key"], mask: "<{kind}:{kind}>" })).toBe(
    "<email:email> 10.0.0.1 <key:key>",
  );
  expect(await runTool(tool, { data, mask: "" })).toBe("  ");
  expect(await runTool(tool, { data, mask: "$&" })).toBe("$& $& $&");
  expect((await refusalOf(runTool(tool, { data, kinds: ["planet"] }))).code).toBe("invalid_input");
});

test("applies the caller's own patterns", async () => {
  const data = "ACME-12 DB_PASSWORD=hunter2 ACME-x";
  expect(await runTool(tool, { data, patterns: ["ACME-\\d+", "x*$"] })).toBe(
    "[pattern] DB_PASSWORD=[assignment] ACME-[pattern]",
  );
  expect(await runTool(tool, { data, patterns: ["ACME-\\d+"], kinds: ["pattern"], mask: "#" })).toBe(
    "# DB_PASSWORD=hunter2 ACME-x",
  );
  const refusal = await refusalOf(runTool(tool, { data, patterns: ["a", "(?=b)"] }));
  expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/patterns" });
  expect(refusal.message).toContain("patterns[1]");
});

test.each([
  ["auth", "Authorization: Bearer 9f8e", "Authorization: Bearer [auth]"],
  ["cookie", "Set-Cookie: sid=31d4; Path=/", "Set-Cookie: sid=[cookie]; Path=/"],
  ["assignment", '{"password":"hunter2"}', '{"password":"[assignment]"}'],
])("masks the kind %s alone, and not without it", async (kind, data, masked) => {
  expect(await runTool(tool, { data, kinds: [kind] })).toBe(masked);
  expect(await runTool(tool, { data, kinds: ["email", "ip", "card"] })).toBe(data);
});

describe("properties", () => {
  test("finds nothing to mask in its own output", async () => {
    const part = fc.constantFrom(
      "a@b.example",
      "10.0.0.1",
      "::1",
      key,
      jwt,
      "4111 1111 1111 1111",
      begin,
      end,
      "x",
      " ",
      ":",
      "@",
      ".",
      "\n",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 10 }), async (parts) => {
        const once = await runTool(tool, { data: parts.join(" ") });
        expect(await runTool(tool, { data: once })).toBe(once);
      }),
    );
  });
});

test("reports in check mode the place of the first finding, but not its content", async () => {
  const check = async (data: string, options: [string, string][] = []) => {
    const body = { kind: "raw" as const, bytes: Buffer.from(data), text: true, options };
    const answer = await execute(tool, { body, form: "text", check: true }, context);
    return { ...(JSON.parse(String(answer.body)) as { errors: unknown[] }), text: String(answer.body) };
  };
  const found = await check(`ok\nid ${key}, ada@example.com\n`);
  expect(found.errors).toMatchObject([{ rule: "text-redactor", line: 2, column: 4, offset: 6 }]);
  expect(found.text).not.toContain(key);
  expect((await check("id [key], [email]\n")).errors).toEqual([]);
  expect((await check("ada@example.com", [["kinds", "card"]])).errors).toEqual([]);
  // RFC 7617 and RFC 6750: header names and schemes may be written in any case.
  for (const line of [
    "authorization: basic YTpi",
    "AUTHORIZATION: Bearer 9f8e",
    "DB_PASSWORD=x9",
    "Cookie: a=b",
  ])
    expect((await check(`${line}\n`)).errors).toHaveLength(1);
});
