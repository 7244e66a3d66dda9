import { expect, test } from "vitest";
import tool from "../../../../src/tools/web/url-parser.ts";
import { decodePunycode } from "../../../../src/lib/punycode.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const parse = async (data: string, base?: string): Promise<Record<string, unknown>> =>
  JSON.parse(await runTool(tool, { data, ...(base !== undefined && { base }) })) as Record<string, unknown>;

test.each([
  ["HTTP://EXAMPLE.com:80/%7Efoo/../a b", { href: "http://example.com/a%20b", port: "", effectivePort: 80 }],
  [
    "https://user:p%40ss@host:8443/",
    { username: "user", password: "p%40ss", port: "8443", effectivePort: 8443 },
  ],
  ["http://[2001:DB8::0:1]/", { hostname: "[2001:db8::1]" }],
  ["http://2130706433/", { hostname: "127.0.0.1" }],
  ["http://bücher.example/", { hostname: "xn--bcher-kva.example" }],
  [
    "mailto:a@example.com",
    { protocol: "mailto:", pathname: "a@example.com", effectivePort: null, origin: "null" },
  ],
  ["  https://example.com/\n", { href: "https://example.com/" }],
])("%s", async (data, wanted) => {
  expect(await parse(data)).toMatchObject(wanted);
});

test("the query is pairs: names repeat, keep their order and may be __proto__", async () => {
  expect((await parse("http://a/?b=1&__proto__=2&b=3+4&c&=%ff"))["query"]).toEqual([
    { name: "b", value: "1" },
    { name: "__proto__", value: "2" },
    { name: "b", value: "3 4" },
    { name: "c", value: "" },
    { name: "", value: "\ufffd" },
  ]);
});

test("a relative URL needs a base, and the base must be absolute", async () => {
  expect(await parse("../b?c", "http://a/x/y/z")).toMatchObject({ href: "http://a/x/b?c" });
  const alone = await refusalOf(parse("/b"));
  expect(alone).toMatchObject({
    code: "invalid_document",
    message: expect.stringContaining("base") as string,
  });
  expect(await refusalOf(parse("/b", "a"))).toMatchObject({ code: "invalid_input", pointer: "/base" });
});

test.each(["http://", "http://a:99999/", "http://[::1", "http://a b/", "", "//"])(
  "%j is not a URL",
  async (data) => {
    expect((await refusalOf(parse(data))).code).toBe("invalid_document");
  },
);

test.each([
  ["https://bücher.example/", "bücher.example"],
  ["http://xn--bcher-kva.XN--P1AI/", "bücher.рф"],
  ["http://faß.de", "faß.de"],
  ["http://xn--ls8h.la/", "💩.la"],
])("%s has a host name for people", async (url, unicodeHostname) => {
  expect(await parse(url)).toMatchObject({ unicodeHostname });
});

test("a host name in ASCII has no second form", async () => {
  expect(await parse("https://example.com/")).not.toHaveProperty("unicodeHostname");
});

// RFC 3492 §7.1, samples A, B, I and S.
test.each([
  ["egbpdaj6bu4bxfgehfvwxn", "ليهمابتكلموشعربي؟"],
  ["ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"],
  ["b1abfaaepdrnnbgefbadotcwatmq2g4l", "почемужеонинеговорятпорусски"],
  ["-> $1.00 <--", "-> $1.00 <-"],
  ["-", undefined],
  ["é", undefined],
  ["99999999", undefined],
])("Punycode %j is %j", (encoded, text) => {
  expect(decodePunycode(encoded)).toBe(text);
});

test("names the URL of an address of ssh", async () => {
  const refusal = await refusalOf(runTool(tool, { data: "git@git.example.com:org/repo.git" }));
  expect(refusal.message).toContain("ssh://git@git.example.com/org/repo.git");
});
