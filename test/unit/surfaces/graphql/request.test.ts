import { describe, expect, test } from "vitest";
import { describeError, ToolError } from "../../../../src/catalog/errors.ts";
import { fromBody, fromQuery, requireJson } from "../../../../src/surfaces/graphql/request.ts";

const body = (value: unknown): Uint8Array =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value));

function refusalOf(work: () => unknown): { code: string; message: string; pointer: string | undefined } {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { code: error.code, message: describeError(error), pointer: error.details.errors?.[0]?.pointer };
  }
  throw new Error("It was taken");
}

describe("a body", () => {
  test.each<[object, object]>([
    [{ query: "{a}" }, { query: "{a}" }],
    [{ query: "" }, { query: "" }],
    [{ query: "{a}", operationName: "" }, { query: "{a}" }],
    [{ query: "{a}", variables: null, operationName: null, extensions: null }, { query: "{a}" }],
    [
      { query: "{a}", operationName: "A", extensions: { x: 1 } },
      { query: "{a}", operationName: "A" },
    ],
    [{ query: "{a}", somethingElse: 1 }, { query: "{a}" }],
  ])("%j is %j", (given, params) => expect(fromBody(body(given))).toEqual(params));

  test("keeps the text of its variables, every digit of it, and of duplicates the effective one", () => {
    const text = '{"query":"{a}", "variables" : {"n": 12345678901234567890.10, "s":"\\u00e9"} }';
    expect(fromBody(body(text)).source).toBe('{"n": 12345678901234567890.10, "s":"\\u00e9"}');
    expect(fromBody(body('{"query":"{a}"}')).source).toBeUndefined();
  });

  test.each<[unknown, string, string | undefined, RegExp]>([
    ["", "bad_json", "", /not JSON/],
    ["{", "bad_json", "", /not JSON: .* \(line 1, column 2\)$/],
    [Buffer.from([0x22, 0xff, 0x22]).toString("latin1"), "invalid_input", "", /JSON object/],
    ["[]", "invalid_input", "", /Batches are not supported/],
    [[{ query: "{a}" }], "invalid_input", "", /Batches are not supported/],
    ["null", "invalid_input", "", /JSON object/],
    ['"{a}"', "invalid_input", "", /JSON object/],
    [{}, "invalid_input", "/query", /document as a string/],
    [{ query: 1 }, "invalid_input", "/query", /document as a string/],
    [{ query: ["{a}"] }, "invalid_input", "/query", /document as a string/],
    [{ query: null }, "invalid_input", "/query", /document as a string/],
    [{ query: "{a}", operationName: 1 }, "invalid_input", "/operationName", /a string/],
    [{ query: "{a}", variables: [] }, "invalid_input", "/variables", /an object/],
    [{ query: "{a}", variables: "{}" }, "invalid_input", "/variables", /an object/],
    [{ query: "{a}", extensions: 1 }, "invalid_input", "/extensions", /an object/],
    ['{"query":"{a}","query":"{b}"}', "invalid_input", "/query", /given twice/],
    [
      `{"query":"{a}","variables":{"x":[${"0,".repeat(100_000)}0]}}`,
      "invalid_input",
      undefined,
      /100000 values/,
    ],
  ])("%.60s is refused: %s %s", (given, code, pointer, words) => {
    const refusal = refusalOf(() => fromBody(body(given)));
    expect(refusal).toMatchObject({ code, pointer });
    expect(refusal.message).toMatch(words);
  });

  test("of invalid UTF-8 is refused with its place", () => {
    expect(refusalOf(() => fromBody(Buffer.from('{"query":"\xff"}', "latin1")))).toMatchObject({
      code: "bad_json",
    });
  });
});

describe("a query", () => {
  test.each<[string, object]>([
    ["query=%7Ba%7D", { query: "{a}" }],
    ["query={a+b}&operationName=&variables=&extensions=", { query: "{a b}" }],
    ["query={a}&operationName=A&cache=1&cache=2", { query: "{a}", operationName: "A" }],
    ["query={a}&variables=null&extensions=%7B%7D", { query: "{a}" }],
    ['query={a}&variables={"n":1.0}', { query: "{a}", variables: { n: 1 }, source: '{"n":1.0}' }],
  ])("%s is %j", (given, params) => expect(fromQuery(given)).toEqual(params));

  test.each<[string, string, string | undefined]>([
    ["", "invalid_input", "/query"],
    ["query={a}&query={b}", "invalid_input", "/query"],
    ["query={a}&variables=[]", "invalid_input", "/variables"],
    ["query={a}&variables={", "bad_json", ""],
    ["query={a}&extensions=1", "invalid_input", "/extensions"],
    ["query=%ff", "invalid_input", undefined],
  ])("%s is refused: %s %s", (given, code, pointer) =>
    expect(refusalOf(() => fromQuery(given))).toMatchObject({ code, pointer }),
  );
});

describe("a media type", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "APPLICATION/JSON;charset=UTF-8",
    "application/graphql+json",
    "application/graphql+json; charset=utf8",
  ])("%s is accepted", (type) => expect(() => requireJson({ "content-type": type })).not.toThrow());

  test.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ["text/plain", undefined],
    ["application/x-www-form-urlencoded", undefined],
    ["multipart/form-data; boundary=x", undefined],
    ["application/graphql", undefined],
    ["application/json; charset=utf-16", undefined],
    ["application/json", "gzip"],
  ])("%s with coding %s is not", (type, coding) =>
    expect(refusalOf(() => requireJson({ "content-type": type, "content-encoding": coding })).code).toBe(
      "unsupported_media_type",
    ),
  );

  test('a body with the coding "identity" is accepted', () =>
    expect(() =>
      requireJson({ "content-type": "application/json", "content-encoding": "identity" }),
    ).not.toThrow());
});
