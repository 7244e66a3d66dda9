import { expect, test } from "vitest";
import tool from "../../../src/tools/web/url-parser.ts";
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
