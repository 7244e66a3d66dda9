import { execute, parse, validate } from "graphql";
import { describe, expect, test } from "vitest";
import { withJsonText } from "../../../../src/surfaces/graphql/schema/json-text.ts";
import { assemble } from "../../../../src/surfaces/graphql/schema/schema.ts";
import { startCost } from "../../../cost/start-cost.ts";

const schema = assemble([
  {
    typeDefs: `extend type Query {
      json(value: JSON): String
      time(value: DateTime): String
      long(value: Long): String
      whole: JSON
      at: [DateTime]
      count(of: Int): Long
    }`,
    resolvers: {
      Query: {
        json: (_, { value }) => value,
        time: (_, { value }) => value,
        long: (_, { value }) => String(value),
        whole: () => ({ b: 1, a: [null, "x"] }),
        at: () => ["2026-11-21T12:00:00Z", 0],
        count: (_, { of }) => [2 ** 53 - 1, 2 ** 53, 1.5][of],
      },
    },
  },
]);

/** The answer to a document with variables that arrived as JSON. */
async function ask(
  source: string,
  variables?: string,
): Promise<{ data?: object | null; errors?: readonly { message: string }[] }> {
  const document = parse(source);
  const errors = validate(schema, document);
  if (errors.length > 0) return { errors };
  const given =
    variables === undefined
      ? {}
      : { variables: JSON.parse(variables) as Record<string, unknown>, source: variables };
  const [operation] = document.definitions;
  if (operation?.kind !== "OperationDefinition") throw new Error("A document begins with its operation");
  const variableValues = withJsonText(operation, given);
  return execute({ schema, document, contextValue: {}, ...(variableValues && { variableValues }) });
}

const first = async (...given: Parameters<typeof ask>): Promise<unknown> => {
  const { data, errors } = await ask(...given);
  return errors?.[0]?.message ?? Object.values(data ?? {})[0];
};

describe("JSON", () => {
  test.each([
    ["1.0", "1.0"],
    ["-0", "-0"],
    ["123456789012345678901234567890", "123456789012345678901234567890"],
    ["0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"],
    ["1E400", "1E400"],
    [String.raw`"a\"\u0000b é"`, JSON.stringify('a"\u0000b é')],
    ['"""\n  two\n  lines\n"""', String.raw`"two\nlines"`],
    ["[true, null, false]", "[true,null,false]"],
    ["{b: 1, a: {c: [1.50]}}", '{"b":1,"a":{"c":[1.50]}}'],
  ])("accepts the literal %s unchanged", async (literal, text) => {
    expect(await first(`{ json(value: ${literal}) }`)).toBe(text);
  });

  test.each([
    '{"2":1,"1":2,"a":1.0}',
    '{"a":1,"a":2}',
    "123456789012345678901234567890",
    "[1e400, -0.0, 1.10]",
    String.raw`{ "a" : "\u00e9\/" }`,
  ])("accepts the variable %s unchanged", async (text) => {
    expect(await first("query ($v: JSON) { json(value: $v) }", `{"w": [1], "v": ${text} }`)).toBe(text);
    expect(await first("query ($v: JSON!) { json(value: $v) }", `{"v":${text}}`)).toBe(text);
    // Within a literal it is unchanged as well.
    expect(await first("query ($v: JSON!) { json(value: [$v, 1.0]) }", `{"v":${text}}`)).toBe(
      `[${text},1.0]`,
    );
  });

  test("accepts variables of other types within a literal", async () => {
    const source =
      "query ($s: String!, $i: Int, $none: Int, $d: JSON = 1.50) { json(value: {s: $s, i: $i, none: $none, d: $d, l: [$none]}) }";
    expect(await first(source, JSON.stringify({ s: 'a"b', i: 3 }))).toBe(
      '{"s":"a\\"b","i":3,"d":1.50,"l":[null]}',
    );
  });

  test("serializes a value whose source text is missing", async () => {
    const document = parse("query ($v: JSON) { json(value: $v) }");
    const variableValues = { v: { json: "x", a: [1.5] } };
    expect(await execute({ schema, document, variableValues, contextValue: {} })).toEqual({
      data: { json: '{"json":"x","a":[1.5]}' },
    });
    expect(await first("query ($v: JSON = {a: 1.0}) { json(value: $v) }")).toBe('{"a":1.0}');
    expect(await first("query ($v: JSON) { json(value: $v) }", '{"v":"text"}')).toBe('"text"');
    expect(await first("query ($v: JSON) { json(value: $v) }", '{"v":null}')).toBeNull();
  });

  test("has no enumerations", async () => {
    expect(await first("{ json(value: {a: RED}) }")).toBe(
      "JSON has no enumerations; put the value in quotes.",
    );
  });

  test("leaves variables of other types, and missing ones, alone", () => {
    const [operation] = parse(
      "query ($a: Int, $b: [JSON], $c: JSON, $toString: JSON) { json(value: $c) }",
    ).definitions;
    const variables = { a: 1, b: [1] };
    if (operation?.kind !== "OperationDefinition") throw new Error("no operation");
    const unread = {
      variables,
      get source(): string {
        throw new Error("It is made for nothing");
      },
    };
    expect(withJsonText(operation, unread)).toBe(variables);
  });

  test("is serialized unchanged", async () => {
    expect(await first("{ whole }")).toEqual({ b: 1, a: [null, "x"] });
  });
});

test("many variables of type JSON are found in one pass", () => {
  const names = Array.from({ length: 1000 }, (_, index) => `v${index}`);
  const [operation] = parse(
    `query (${names.map((name) => `$${name}: JSON`).join(" ")}) { whole }`,
  ).definitions;
  if (operation?.kind !== "OperationDefinition") throw new Error("no operation");
  const source = `{${names.map((name) => `"${name}":[${"1,".repeat(500)}1.0]`).join(",")}}`;
  const cost = startCost();
  const kept = withJsonText(operation, { variables: JSON.parse(source) as Record<string, unknown>, source });
  expect(Object.keys(kept ?? {})).toEqual(names);
  // One pass for each would take seconds.
  expect(cost()).toBeLessThan(100);
});

describe("DateTime", () => {
  test.each([
    ["2026-11-21T12:00:00Z", "2026-11-21T12:00:00.000Z"],
    ["2026-11-21t12:00:00.1234z", "2026-11-21T12:00:00.123Z"],
    ["2026-11-21 12:00:00+02:30", "2026-11-21T09:30:00.000Z"],
    ["2024-02-29T23:59:59-00:00", "2024-02-29T23:59:59.000Z"],
  ])("reads %s", async (text, utc) => {
    expect(await first(`{ time(value: "${text}") }`)).toBe(utc);
    expect(await first("query ($v: DateTime) { time(value: $v) }", JSON.stringify({ v: text }))).toBe(utc);
  });

  test.each([
    '"2026-02-30T00:00:00Z"',
    '"2026-11-21"',
    '"2026-11-21T24:00:00Z"',
    '"2026-11-21T12:00:00"',
    '"now"',
    "1700000000",
    "true",
  ])("refuses %s", async (literal) => {
    const sentence = "DateTime must be a string in the form of RFC 3339, such as 2026-11-21T12:00:00Z.";
    expect(await first(`{ time(value: ${literal}) }`)).toContain(sentence);
    expect(await first("query ($v: DateTime) { time(value: $v) }", `{"v":${literal}}`)).toContain(sentence);
  });

  test("is serialized in UTC", async () => {
    expect(await first("{ at }")).toEqual(["2026-11-21T12:00:00Z", "1970-01-01T00:00:00.000Z"]);
  });
});

describe("Long", () => {
  test.each(["9007199254740991", "-9007199254740991", "0"])("takes %s", async (text) => {
    expect(await first(`{ long(value: ${text}) }`)).toBe(text);
    expect(await first("query ($v: Long) { long(value: $v) }", `{"v":${text}}`)).toBe(text);
  });

  test.each(["9007199254740992", "1.5", '"1"', "true"])("refuses %s", async (literal) => {
    expect(await first(`{ long(value: ${literal}) }`)).toContain("Long must be an integer from");
    expect(await first("query ($v: Long) { long(value: $v) }", `{"v":${literal}}`)).toContain(
      "Long must be an integer from",
    );
  });

  test("is serialized only if it is a 64-bit integer", async () => {
    expect(await first("{ count(of: 0) }")).toBe(2 ** 53 - 1);
    for (const index of [1, 2])
      expect(await first(`{ count(of: ${index}) }`)).toContain("Long must be an integer from");
  });
});
