import * as fc from "fast-check";
import jsonata from "jsonata";
import { expect, test } from "vitest";
import tool from "../../../../src/tools/json/json-query.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const ask = (data: string, query: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, query, language: "jsonata", indent: 0, ...options });

const person =
  '{"name":"Ada","age":36,"tel":[{"t":"home","n":"1"},{"t":"work","n":"2"},{"t":"work","n":"3"}]}';

test.each([
  [person, "name", '"Ada"'],
  [person, "tel[t='work'].n", '["2","3"]'],
  [person, "tel[-1]", '{"t":"work","n":"3"}'],
  [person, "tel[[0..1]].n", '["1","2"]'],
  [person, "tel{t: $count(n)}", '{"home":1,"work":2}'],
  [person, "tel.(n & '/' & t)", '["1/home","2/work","3/work"]'],
  [person, "tel^(>n)[0].n", '"3"'],
  [person, "tel.%.name", '["Ada","Ada","Ada"]'],
  [person, "$map(tel, function($v, $i) { $i })", "[0,1,2]"],
  [person, "age > 18 and 'work' in tel.t ? 'yes' : 'no'", '"yes"'],
  [person, "$match(name, /^a/i).match", '"A"'],
  [person, "nothing.at.all", "null"],
  [person, "tel[8]", "null"],
  ["[]", "$", "[]"],
  ["null", "$", "null"],
  ['"é"', "$length($)", "1"],
  ["{}", '$base64encode("Hello")', '"SGVsbG8="'],
  ["{}", "( $f := function($n) { $n <= 1 ? 1 : $n * $f($n - 1) }; $f(10) )", "3628800"],
  ["{}", '$eval("1 + 1")', "2"],
  // Names of built-in properties, and keys that JavaScript objects would order before all others.
  ['{"__proto__":{"x":1},"constructor":2}', "`__proto__`.x + constructor", "3"],
  ["{}", "constructor", "null"],
  ["{}", '$lookup({}, "toString")', "null"],
  ['{"b":1,"10":2,"9":3}', "$keys($)", '["b","10","9"]'],
  ['{"b":1,"10":2,"9":3}', "*", "[1,2,3]"],
  // Not a promise: an object with a member `then`.
  ['{"then":1}', "$", '{"then":1}'],
])("%s %s", async (data, query, result) => {
  expect(await ask(data, query)).toBe(result);
});

test.each([
  [
    "what is selected whole is as it was written",
    '{"a":{"10":1.50,"9":[1E2,-0,1e400]}}',
    "a",
    '{"10":1.50,"9":[1E2,-0,1e400]}',
  ],
  ["a number alone is too", "[1.50,12345678901234567890]", "$", "[1.50,12345678901234567890]"],
  [
    "a number alone is too",
    '{"a":[{"id":12345678901234567890},{"id":1.50}]}',
    "a.id",
    "[12345678901234567890,1.50]",
  ],
  [
    "and in an object that is made",
    '{"id":9007199254740993,"p":1e1}',
    '{"i": id, "p": [p]}',
    '{"i":9007199254740993,"p":[1e1]}',
  ],
  ["by a predicate", '[{"id":9007199254740993,"n":1},{"id":4,"n":2}]', "$[n=1].id", "9007199254740993"],
  ["a number that is written in two ways has its shortest", "[1.0,1,2.50]", "$[0]", "1"],
  ["a computed number has the text that the document has for it", '{"a":0.5,"b":1.50}', "a + 1", "1.50"],
  ["a number beyond doubles is passed on", '{"a":1e400}', "a", "1e400"],
  [
    "by a query that computes, inside of what is around it",
    '{"x":{"id":9007199254740993},"n":1}',
    '{"x": x, "n": n + 1}',
    '{"x":{"id":9007199254740993},"n":2}',
  ],
  [
    "by a transformation",
    '{"x":{"id":9007199254740993,"n":1}}',
    '$ ~> |x|{"n": n + 1}|',
    '{"x":{"id":9007199254740993,"n":2}}',
  ],
  [
    "which rounds no fraction",
    '{"f":0.12345678901234567,"n":0}',
    '$ ~> |$|{"n": 1}|',
    '{"f":0.12345678901234567,"n":1}',
  ],
  ["sums of what doubles hold", '{"id":9007199254740993,"n":[1.5,2.25]}', "$sum(n)", "3.75"],
])("numbers: %s (%s)", async (_, data, query, result) => {
  expect(await ask(data, query)).toBe(result);
});

test.each([
  ['{"a":9007199254740993}', "a + 1", 5],
  ['{"a":[1,9007199254740993]}', "$sum(a)", 8],
  ['{"a":1e400}', "-a", 5],
  ['{"a":1e-400}', "a * 2", 5],
  ['{"a":0.12345678901234567}', '"" & a', 5],
  ['{"a":0.123456789012345678}', "a / 2", 5],
  ['{"a":9007199254740993}', '$eval("a")', 5],
  ["9007199254740993", "$ + 1", 0],
  // Both numbers are the same double: comparing them could select the wrong one.
  ['{"a":9007199254740993,"b":9007199254740992}', "a = b", 5],
  ['{"a":9007199254740993}', "a = 9007199254740992", 5],
])("refuses a number that JSONata would change, with its place: %s %s", async (data, query, offset) => {
  const refusal = await refusalOf(ask(data, query));
  expect(refusal).toMatchObject({ code: "invalid_document", offset });
  expect(refusal.message).toContain("use jsonpath or jmespath");
});

test("refuses such a number in the query too", async () => {
  expect(await refusalOf(ask("{}", "a[id = 12345678901234567890]"))).toEqual({
    code: "invalid_input",
    pointer: "/query",
    message: "query: JSONata would change the number 12345678901234567890, at character 27.",
  });
  expect(await refusalOf(ask("{}", '$eval("12345678901234567890")'))).toMatchObject({
    code: "invalid_input",
  });
});

test.each([
  ["a +", "Unexpected end of expression, at character 3."],
  ["", "Unexpected end of expression."],
  ["a ) b", 'Syntax error: ")", at character 3.'],
  ['1 + "a"', 'The right side of the "+" operator must evaluate to a number, at character 3.'],
  ["$nope()", "Attempted to invoke a non-function, at character 6."],
  ["$sum", "The result is or contains a function; call it with ()."],
  ["[1, {'a': $sum}]", "The result is or contains a function; call it with ()."],
  ["/a/", "The result is or contains a function; call it with ()."],
  ["1 / 0", undefined],
  ["$pad('', 2000000000, 'x')", undefined],
  [`${"(".repeat(4999)}1`, undefined],
  ["$fromMillis(1e20)", "100000000000000000000 milliseconds are beyond all dates, at character 12."],
  ["$fromMillis(1, '[Q]')", undefined],
  ["/(/.a", undefined],
  ["$match('a', /a{2,1}/)", undefined],
  ["$decodeUrlComponent('%E0%A4%A')", undefined],
  ['{"_jsonata_lambda": true}()', undefined],
  ['$eval("1 +")', undefined],
])("rejects %s as an invalid call, with the position where there is one", async (query, sentence) => {
  const refusal = await refusalOf(ask('{"a":1}', query));
  expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/query" });
  if (sentence !== undefined) expect(refusal.message).toBe(`query: ${sentence}`);
  expect(refusal.message.length).toBeLessThan(400);
});

test("neither repeats documents in messages nor reveals internals", async () => {
  const data = JSON.stringify({ a: ["x".repeat(10_000)] });
  const refusal = await refusalOf(ask(data, "$number(a[0])"));
  expect(refusal.message.length).toBeLessThan(400);
  const inside = await refusalOf(ask('{"a":1}', "$reduce([1,2], $)"));
  expect(inside.message).not.toMatch(/undefined|properties|node_modules/);
});

test("lets a query refuse the document with its own message", async () => {
  for (const query of ['$error("too old")', '$assert(a > 2, "too old")']) {
    expect(await refusalOf(ask('{"a":1}', query))).toEqual({
      code: "invalid_document",
      message: "The query refuses the document: too old",
    });
  }
  expect(await ask('{"a":3}', '($assert(a > 2, "too old"); a)')).toBe("3");
});

test.each(["_jsonata_function", "_jsonata_lambda", "outerWrapper", "tupleStream"])(
  "does not mistake a document for a value of the library: %s",
  async (key) => {
    const data = `{"a":{"${key}":true,"body":{"type":"variable","value":"x"},"arguments":[]}}`;
    expect(await refusalOf(ask(data, "a()"))).toMatchObject({
      code: "invalid_document",
      pointer: `/a/${key}`,
    });
  },
);

test("takes time and randomness only from the caller", async () => {
  const now = "2026-01-02T03:04:05.678Z";
  expect(await ask("{}", "$now()", { now })).toBe(`"${now}"`);
  expect(await ask("{}", '$now("[Y]/[M01]", "+0000")', { now })).toBe('"2026/01"');
  expect(await ask("{}", "$millis()", { now })).toBe("1767323045678");
  expect(await ask("{}", '$toMillis("13:45", "[H01]:[m01]")', { now })).toBe("1767361500000");
  expect(await ask("{}", '$toMillis("2020", "[Y]")')).toBe("1577836800000");
  expect(await ask("{}", '$eval("$millis()")', { now })).toBe("1767323045678");
  const drawn = "[$random(), $shuffle([1..9])]";
  const seed = "golden file";
  // SHA-256 of the seed, then of that digest with the counter 0: the first 53 bits, and so on as documented.
  expect(await ask("{}", "$random()", { seed })).toBe("0.08780662898825142");
  expect(await ask("{}", drawn, { seed })).toBe(await ask("{}", drawn, { seed }));
  expect(await ask("{}", drawn, { seed })).not.toBe(await ask("{}", drawn, { seed: "other" }));
  for (const query of ["$now()", "$millis()", '$toMillis("13:45", "[H01]:[m01]")', '$eval("$now()")'])
    expect((await refusalOf(ask("{}", query))).message).toContain("pass it in now");
  for (const query of ["$random()", "$shuffle([1, 2])"])
    expect((await refusalOf(ask("{}", query))).message).toContain("in seed");
});

test.each([
  ['$pad("a", 5)', '"a    "'],
  ['$pad("a", -3, "😀é")', '"😀éa"'],
  ["$pad(nothing, 3)", "null"],
  ['$join(["a", "b"], "-")', '"a-b"'],
  ['$join("a")', '"a"'],
  ["$join(nothing)", "null"],
  ['["b", "c"] ~> $join', '"bc"'],
])("%s makes %s", async (query, result) => {
  expect(await ask("{}", query)).toBe(result);
});

// A string larger than the rest of the heap ends the process, not only the thread.
test.each([
  ['$pad("a", 536870000)', "$pad makes 1000000 characters at most"],
  ['$pad("a", -1e15, "b")', "$pad makes 1000000 characters at most"],
  ["$eval(\"$pad('a', 536870000)\")", "$pad makes 1000000 characters at most"],
  [`($p := $pad("a", 1000000); $join([${"$p, ".repeat(33)}$p]))`, "more than 64 MiB of text and lists"],
  ['$join(["a", "b"][[0..1]], $pad("a", 1e9))', "$pad makes 1000000 characters at most"],
])("refuses %s before it is built", async (query, message) => {
  expect((await refusalOf(ask("{}", query))).message).toContain(message);
});

test("converts a value in many places of the result once, and writes it each time", async () => {
  const doubled = `($a := [1, 2]; ${"$a := [[$a], [$a]]; ".repeat(30)}$count($a))`;
  expect(await ask("{}", doubled)).toBe("2");
  const wide = `($a := [1, 2]; ${"$a := [[$a], [$a]]; ".repeat(10)}$a)`;
  expect(await ask("{}", wide)).toHaveLength(8189);
});

test("gives the same results as the library", async () => {
  const queries = [
    "$",
    "**",
    "*",
    "a",
    "a.b",
    "a[0]",
    "$keys($)",
    "$count(**)",
    "$type($)",
    "{'x': a, 'y': [a]}",
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.json(),
        fc.json().map((json) => `{"a":${json}}`),
        fc.json().map((json) => `{"a":[{"b":${json}},1]}`),
      ),
      fc.constantFrom(...queries),
      async (data, query) => {
        const expected = (await jsonata(query).evaluate(JSON.parse(data))) as unknown;
        expect(JSON.parse(await ask(data, query))).toEqual(JSON.parse(JSON.stringify(expected ?? null)));
      },
    ),
    { numRuns: 300 },
  );
});
