import * as fc from "fast-check";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/jwt/jwt-decoder.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const part = (text: string): string => Buffer.from(text).toString("base64url");
const token = (payload: string, header = '{"alg":"HS256"}'): string =>
  `${part(header)}.${part(payload)}.c2ln`;

interface Decoded {
  header: Record<string, unknown>;
  payload: Record<string, unknown>;
  times: Record<string, string>;
  expired: boolean | null;
  verified: boolean;
}

const decode = async (data: string, options = {}): Promise<Decoded> =>
  JSON.parse(await runTool(tool, { data, ...options })) as Decoded;

test.each([
  [0, "1970-01-01T00:00:00.000Z", true],
  [1_767_323_045, "2026-01-02T03:04:05.000Z", true],
  [1_767_323_046, "2026-01-02T03:04:06.000Z", false],
  [1_767_323_045.5, "2026-01-02T03:04:05.500Z", false],
  [1e300, "1e+300", false],
])("exp %s is %s, expired: %s", async (exp, time, expired) => {
  const decoded = await decode(token(`{"exp":${exp}}`), { now: "2026-01-02T03:04:05Z" });
  expect(decoded).toMatchObject({ times: { exp: time }, expired, verified: false });
});

test("numbers, names and order are kept as written", async () => {
  const text = await runTool(tool, {
    data: token('{"b":9007199254740993,"1":1.0,"__proto__":1e400,"a":"\\u00e9"}'),
  });
  expect(text).toContain(
    '"payload": {\n    "b": 9007199254740993,\n    "1": 1.0,\n    "__proto__": 1e400,\n    "a": "\\u00e9"\n  }',
  );
});

test.each(["Bearer ", "bearer  ", "Authorization: Bearer ", " \n", "authorization:"])(
  "%j is accepted as a prefix",
  async (before) => {
    expect((await decode(`${before}${token("{}")}\n`)).expired).toBe(null);
  },
);

test.each([
  ["", 0],
  ["a.b", 0],
  [`${part("{}")}.${part("{}")}`, 0],
  ["a.b.c.d.e", 0],
  [`${part("[]")}.${part("{}")}.`, 0],
  [`${part("{}")}.${part('"text"')}.`, 4],
  [`${part("{}")}.${part("not JSON")}.`, 4],
  [`${part("{}")}.${Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")}.`, 4],
  [`${part("{}")}.e30=.`, 7],
  [`Bearer ${part("{}")}.e3 0.`, 13],
  [`${part('{"a":1,"a":2}')}.${part("{}")}.`, 0],
])("%j is not a token, at byte %s", async (data, offset) => {
  expect(await refusalOf(runTool(tool, { data }))).toMatchObject({
    code: "invalid_document",
    offset,
    line: 1,
  });
});

test("unlimited nesting is refused", async () => {
  const data = token(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
  expect((await refusalOf(runTool(tool, { data }))).code).toBe("invalid_document");
});

test("arbitrary claims are returned unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), async (claims) => {
      const json = JSON.stringify(claims);
      expect((await decode(token(json))).payload).toEqual(JSON.parse(json));
    }),
  );
});

test.each([
  ["a cookie", (text: string) => `token=${text}; Path=/; HttpOnly`],
  ["a header of cookies", (text: string) => `Cookie: lang=en; session=${text}; theme=dark`],
  ["a query", (text: string) => `https://x.test/cb?access_token=${text}&token_type=bearer`],
  ["the answer of a server", (text: string) => `{"access_token":"${text}","expires_in":3600}`],
  ["a command", (text: string) => `curl -H 'Authorization: Bearer ${text}' https://api.x.test`],
  [
    "lines of a terminal",
    (text: string) => `${text.slice(0, 20)}\n${text.slice(20, 30)}\r\n  ${text.slice(30)}\n`,
  ],
])("finds the token in %s", async (_, wrap) => {
  expect((await decode(wrap(token('{"id":1}')))).payload).toEqual({ id: 1 });
});

test("does not choose among several tokens", async () => {
  const both = `{"id_token":"${token('{"id":1}')}","access_token":"${token('{"id":2}')}"}`;
  expect((await refusalOf(decode(both))).code).toBe("invalid_document");
});

test("says that a time seems to be in milliseconds", async () => {
  expect(await decode(token('{"exp":1700000000000,"iat":1700000000}'))).toMatchObject({
    hints: ["exp seems to be in milliseconds; a token counts in seconds."],
  });
  expect(await decode(token('{"exp":1700000000}'))).not.toHaveProperty("hints");
});
