import { expect, test } from "vitest";
import { parseEnvelope } from "../../../src/catalog/envelope.ts";
import { textOfMember } from "../../../src/catalog/member-text.ts";

const parse = (text: string) => parseEnvelope(Buffer.from(text));

test("a duplicate field is refused, with both places", () => {
  expect(() => parse('{"data":"1",\n "data":"2"}')).toThrow(
    expect.objectContaining({
      code: "invalid_input",
      message: expect.stringContaining('"data"') as string,
      details: { errors: [expect.objectContaining({ pointer: "/data", line: 2, column: 2 })] },
    }) as Error,
  );
  expect(() => parse('{"algorithm":"sha256","\\u0061lgorithm":"md5"}')).toThrow("given twice");
});

test("the envelope ignores what is inside a field", () => {
  expect(parse('{"data":"{\\"a\\":1,\\"a\\":2}","x":{"b":{"c":1},"d":[{"e":1}]}}')).toEqual({
    data: '{"a":1,"a":2}',
    x: { b: { c: 1 }, d: [{ e: 1 }] },
  });
  expect(parse("[1]")).toEqual([1]);
  expect(parse('"a:b"')).toBe("a:b");
});

test.each([
  ['{"a":1,"b" : {"n": 1.000 } }', "b", '{"n": 1.000 }'],
  ['{"b":1,"b":[2]}', "b", "[2]"],
  ['{"\\u0062":"\\u00e9é"}', "b", '"\\u00e9é"'],
  ['{"a":{"b":1}}', "b", ""],
])("of %s the member %s is %s, as written", (text, name, member) =>
  expect(textOfMember(Buffer.from(text), name)).toBe(member),
);
