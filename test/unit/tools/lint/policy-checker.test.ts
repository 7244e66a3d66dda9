import { describe, expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import tool from "../../../../src/tools/lint/policy-checker.ts";
import { checkTool, refusalOf, runTool } from "../run-tool.ts";

type Rule = Record<string, unknown>;

const policyOf = (rules: readonly Rule[], variables: readonly Rule[] = []): string =>
  JSON.stringify({ rules, variables });
const check = async (data: string, policy: string, dataFormat = "json"): Promise<Report["errors"]> =>
  (JSON.parse(await runTool(tool, { data, policy, dataFormat })) as Report).errors;
/** Returns the messages of an expression over a document. */
const evaluate = async (expression: string, data: unknown = {}): Promise<string[]> =>
  (await check(JSON.stringify(data), policyOf([{ id: "r", expression, message: "violated" }]))).map(
    ({ message }) => message,
  );

describe("values of documents", () => {
  test.each([
    ["document == 9223372036854775807", "9223372036854775807"],
    ["document == -9223372036854775808", "-9223372036854775808"],
    ["type(document) == int", "1"],
    ["type(document) == double", "1.0"],
    ["type(document) == double", "1e3"],
    ["document == 1", "1.0"],
    ["document + 1 == 9007199254740993", "9007199254740992"],
    ["type(document) == map && size(document) == 0", "{}"],
    ["has(document.a) && 'a' in document && document.a == null", '{"a":null}'],
    ["!has(document.a) && !('a' in document)", "{}"],
    ["!has(document.constructor) && !has(document.__proto__)", "{}"],
    ["document['a/b'] == 1 && document['__proto__'] == 2", '{"a/b":1,"__proto__":2}'],
    ["document.namespace == 'x' && document.if == 1", '{"namespace":"x","if":1}'],
  ])("%s over %s", async (expression, data) => {
    expect(await check(data, policyOf([{ id: "r", expression }]))).toEqual([]);
  });

  test.each([
    ["json", '{"a":[1,9223372036854775808]}', "/a/1", 1, 9],
    ["json", '{"a":-9223372036854775809}', "/a", 1, 6],
    ["json", `{"a":${"9".repeat(100_000)}}`, "/a", 1, 6],
    ["json", '{"a":1e400}', "/a", 1, 6],
    ["yaml", "a: 1\n---\nb: 18446744073709551615\n", "/b", 3, 4],
    ["toml", "a = 1e400", "/a", 1, 5],
    ["ndjson", '1\n{"a":9223372036854775808}\n', "/a", 2, 6],
  ])(
    "of %s: a number that CEL lacks is an error at its place",
    async (format, data, pointer, line, column) => {
      expect(await check(data, policyOf([{ id: "r", expression: "true" }]), format)).toMatchObject([
        { rule: "number-range", severity: "error", pointer, line, column },
      ]);
    },
  );

  test("YAML's infinity is a double, and dates of TOML are strings", async () => {
    expect(
      await check("[.inf, -.inf]", policyOf([{ id: "r", expression: "document[0] > document[1]" }]), "yaml"),
    ).toEqual([]);
    const expression = "timestamp(document.at).getFullYear() == 2024 && document.day == '2024-02-29'";
    expect(
      await check("at = 2024-02-29T00:00:00Z\nday = 2024-02-29", policyOf([{ id: "r", expression }]), "toml"),
    ).toEqual([]);
  });
});

describe("places", () => {
  const policy = policyOf([{ id: "low", each: "$..port", expression: "self > 1024" }]);

  test.each([
    ["json", '{"a":{"port":2000},\n "é":{"port":80}}', "/é/port", 2, 14, 34],
    ["jsonc", '{"a":{"port":2000}, // é\n "b":{"port":80}}', "/b/port", 2, 14, 39],
    ["yaml", "a:\n  port: 2000\n---\nb: {port: 80}\n", "/b/port", 4, 11, 30],
    ["toml", "[a]\nport = 2000\n[b]\nport = 80\n", "/b/port", 4, 8, 27],
    ["ndjson", '{"a":{"port":2000}}\n\n{"é":{"port":80}}\r\n', "/é/port", 3, 14, 35],
  ])("of %s", async (format, data, pointer, line, column, offset) => {
    expect(await check(data, policy, format)).toEqual([
      {
        rule: "low",
        severity: "error",
        message: "Must be true: self > 1024",
        pointer,
        line,
        column,
        offset,
      },
    ]);
  });

  test("each document of a stream is checked by itself, and findings are in the order of the text", async () => {
    const rules = [
      { id: "second", expression: "document.n != 3" },
      { id: "first", expression: "document.n != 1" },
      { id: "all", expression: "document.n > 0", severity: "warning" },
    ];
    const found = await check("n: 1\n---\nn: 2\n---\n# c\nn: 3\n", policyOf(rules), "yaml");
    expect(found.map(({ rule, line }) => [rule, line])).toEqual([
      ["first", 1],
      ["second", 6],
    ]);
    expect(await check("", policyOf(rules), "yaml")).toEqual([]);
  });

  test("a syntax error is a finding, and says which format accepts the document", async () => {
    expect(await check("a: 1\n", policy)).toMatchObject([
      { rule: "syntax", message: expect.stringContaining("set dataFormat to yaml") },
    ]);
    expect(await check('{"a":1}\n{"a":}\n', policy, "ndjson")).toMatchObject([
      { rule: "syntax", line: 2, column: 6 },
    ]);
    expect(await check("a: [\n", policy, "yaml")).toMatchObject([{ line: 2 }]);
  });
});

describe("rules", () => {
  test("match, each, self, path and messages", async () => {
    const rules = [
      {
        id: "digest",
        match: "document.kind == 'Pod' && path[1] != 'initContainers'",
        each: "$.spec.containers[*]",
        expression: "self.image.contains('@')",
        messageExpression: "path[0] + '.' + path[1] + '.' + string(path[2]) + ': ' + self.image",
        message: "fixed",
        severity: "warning",
      },
      { id: "other", match: "document.kind == 'Job'", expression: "false" },
    ];
    const data = '{"kind":"Pod","spec":{"containers":[{"image":"a@1"},{"image":"b"}]}}';
    expect(await check(data, policyOf(rules))).toMatchObject([
      { rule: "digest", severity: "warning", message: "spec.containers.1: b", pointer: "/spec/containers/1" },
    ]);
  });

  test.each(["self.none", "''", "'x' + string(1 / 0)", "1"])(
    "the message %s cannot be made, so the fixed one is used",
    async (messageExpression) => {
      expect(
        await check("{}", policyOf([{ id: "r", expression: "false", message: "fixed", messageExpression }])),
      ).toMatchObject([{ message: "fixed" }]);
    },
  );

  test("variables are evaluated when they are used, in the scope of each value", async () => {
    const variables = [
      { name: "broken", expression: "document.none" },
      { name: "double", expression: "self * 2" },
      { name: "four", expression: "variables.double * 2" },
    ];
    const rules = [{ id: "r", each: "$[*]", expression: "variables.four < 10 || variables.broken" }];
    const found = await check("[1,2,3]", policyOf(rules, variables));
    expect(found).toMatchObject([{ rule: "cel-error", pointer: "/2" }]);
    expect(found[0]?.message).toContain("variables.broken: field not found: none");
  });

  test.each([
    ["self.a.b > 1", "no such|not found"],
    ["1 / document.zero == 1", "divide by zero"],
    ["document.zero", "it must be true or false, not int"],
    ["document.text == 'x' ? document.text : true", "it must be true or false, not string"],
    ["document.text.matches(document.bad)", "pattern"],
    ["document.text > 1", "no matching overload"],
    ["timestamp('x') == timestamp('y')", "timestamp"],
  ])("%s cannot be evaluated, which is a finding", async (expression, message) => {
    const [found, ...more] = await check(
      '{"zero":0,"text":"x","bad":"("}',
      policyOf([{ id: "r", expression }]),
    );
    expect(more).toEqual([]);
    expect(found).toMatchObject({ rule: "cel-error", severity: "error" });
    expect(found?.message).toMatch(/^Rule r: expression of .* failed \(policy, line 1, column \d+\): /);
    expect(found?.message).toMatch(new RegExp(message));
  });

  test("a match that fails is a finding too, and does not skip the rule silently", async () => {
    expect(
      await check("{}", policyOf([{ id: "r", match: "document.a == 1", expression: "true" }])),
    ).toMatchObject([
      { rule: "cel-error", message: expect.stringContaining("match of document.a == 1 failed") },
    ]);
  });

  test("warnings leave a document valid, in check mode too", async () => {
    const policy = policyOf([{ id: "r", expression: "false", severity: "warning" }]);
    expect(await checkTool(tool, { data: "{}", policy })).toMatchObject({
      valid: true,
      errors: [{ rule: "r" }],
    });
    expect(
      await checkTool(tool, { data: "{}", policy: policyOf([{ id: "r", expression: "false" }]) }),
    ).toMatchObject({
      valid: false,
    });
  });
});

describe("expressions", () => {
  test.each([
    "'a😀b'.size() == 3 && size('😀') == 1 && '\\uFFFF' < '😀'",
    "[1, 2, 3].map(x, x * 2).filter(x, x > 2) == [4, 6] && [1, 2].exists_one(x, x == 1)",
    "{'a': 1}.all(k, k == 'a') && 'a' in {'a': null}",
    "'a,b'.split(',') == ['a', 'b'] && ['a', 'b'].join('-') == 'a-b' && 'aXb'.lowerAscii() == 'axb'",
    "'a😀b'.replace('', '-') == '-a-😀-b-' && 'aaa'.replace('a', 'b', 2) == 'bba'",
    "'a😀b'.substring(1, 2) == '😀' && 'a😀b'.indexOf('b') == 2 && ' x '.trim() == 'x' && 'ab'.reverse() == 'ba'",
    "'registry/x:1.2'.matches('^[a-z]+/x:[0-9.]+$') && !'x'.matches('^y')",
    "timestamp('2024-03-10T02:30:00Z').getHours() == 2",
    "timestamp('2024-03-10T02:30:00Z').getHours('America/New_York') == 21",
    "timestamp('2024-03-10T02:30:00Z').getDate('-02:31') == 9",
    "timestamp('2024-12-31T00:00:00Z').getDayOfYear() == 365 && duration('90m') == duration('1h30m')",
    "int('-12') == -12 && double('1.5e3') == 1500.0 && string(1.5) == '1.5' && b'a' + b'b' == b'ab'",
    "dyn(1) == 1.0 && 1u < 2 && 2.5 > 1 && type(null) == null_type",
    "true || document.none && (false || !false)",
    "'%s is %d%% of %.1f'.format(['a', 5, 2.25]) == 'a is 5% of 2.2' && '%x %o %b'.format([255, 8, true]) == 'ff 10 1'",
    "'%s'.format([[{'b': 1, 'a': null}, duration('1.5s'), timestamp('2024-01-02T03:04:05Z')]]) == '[{a: null, b: 1}, 1.500s, 2024-01-02T03:04:05Z]'",
    "strings.quote('a\"\\n') == '\"a\\\\\"\\\\n\"'",
  ])("%s", async (expression) => {
    expect(await evaluate(expression)).toEqual([]);
  });

  test.each([
    "int('')",
    "int(' 1')",
    "int('0x10')",
    "double('')",
    "double('1 ')",
    "int('99999999999999999999')",
    "'%s'.format([])",
    "'%s'.format([1, 2])",
    "'%d'.format(['1'])",
    "'%q'.format([1])",
    "'100%'.format([])",
    "'%.101f'.format([1.0])",
  ])("%s fails", async (conversion) => {
    expect(await evaluate(`${conversion} == 0 || true == true`)).toEqual([]);
    expect(await evaluate(`${conversion} != 5`)).toEqual([expect.stringContaining("failed")]);
  });

  test("a filter of many items takes no stack, and no time that grows with its square", async () => {
    const data = Array.from({ length: 50_000 }, (_, index) => index);
    expect(await evaluate("document.filter(x, x % 2 == 0).map(x, x + 1).size() == 25000", data)).toEqual([]);
  });

  test("a format that names a long text again and again is refused before it is written", async () => {
    const pattern = "%s".repeat(800);
    const values = Array.from({ length: 800 }, () => "self").join(", ");
    const found = await evaluate(`'${pattern}'.format([${values}]) != ''`, "x".repeat(1_000_000));
    expect(found).toEqual([expect.stringContaining("failed")]);
  });

  test("a list that two others grow from stays as it is", async () => {
    const expression =
      "[[1].map(x, x)].all(l, l + [2] == [1, 2] && l + [3] == [1, 3] && l == [1] && (l + [4]) + [5] == [1, 4, 5])";
    expect(
      await evaluate(`${expression} && document + [1] == [0, 1] && document + [2] == [0, 2]`, [0]),
    ).toEqual([]);
  });
});

describe("a policy that is at fault", () => {
  const yaml = (expression: string): string => `rules:\n  - id: r\n    expression: ${expression}\n`;

  test.each<[message: string, policy: string, line: number, column: number]>([
    ["Rule r: expression is no valid CEL", yaml("document.a >"), 3, 28],
    ["There is no function foo", yaml("foo(1)"), 3, 17],
    ["y is not known here; known are document, self, path, variables", yaml("document.all(x, y)"), 3, 33],
    ["other is not known here", yaml("|\n      document.a == 1 &&\n        other == 2"), 5, 9],
    ["other is not known here", yaml(">-\n      document.a == 1 &&\n\n      other == 2"), 6, 7],
    ["other is not known here", yaml('"document[\'\\u0061\\t\'] == \\"\\" && other"'), 3, 50],
    ["other is not known here", yaml("'document[''a''] == other'"), 3, 37],
    ["other is not known here", `{"rules":[\n{"id":"r","expression":"document[\\"a\\"] == other"}]}`, 2, 44],
    ["size takes 0 arguments, not 2", yaml("document.size(1, 2)"), 3, 25],
    ["contains is a method of a value", yaml("contains(document, 'a')"), 3, 17],
    ["The pattern is not RE2", yaml("document.a.matches('a(?=b)')"), 3, 27],
    ["variables.v is not defined before this expression", yaml("variables.v"), 3, 26],
    ["Rule r: expression is missing", "rules:\n  - id: r\n", 2, 5],
    ["id is missing", "rules:\n  - expression: 'true'\n", 2, 5],
    ['A rule has no "expresion"; did you mean expression?', "rules:\n  - id: r\n    expresion: a\n", 3, 16],
    ["id must have letters", "rules:\n  - id: r r\n", 2, 9],
    ["cel-error is the name of findings of policy-checker itself", "rules:\n  - id: cel-error\n", 2, 9],
    [
      "The rule r is defined twice",
      "rules:\n- {id: r, expression: 'true'}\n- {id: r, expression: 'true'}\n",
      3,
      8,
    ],
    ["severity must be error or warning", "rules:\n- {id: r, expression: 'true', severity: info}\n", 2, 41],
    ["each is no valid JSONPath", "rules:\n- {id: r, expression: 'true', each: '$[' }\n", 2, 37],
    ["expression must be a string", "rules:\n- {id: r, expression: 1}\n", 2, 23],
    ["The policy has no rules", "rules: []\n", 1, 1],
    ["Expected an object with rules, variables", "[]\n", 1, 1],
    ["rules must be a list", "rules: {}\n", 1, 8],
    ["name must be an identifier", "variables: [{name: 1a, expression: x}]\n", 1, 20],
    [
      "Variable a: expression is no valid CEL: x is not known",
      "variables: [{name: a, expression: x}]\n",
      1,
      35,
    ],
    [
      "more than 100 brackets in one another",
      `rules:\n- {id: r, expression: "${"(".repeat(101)}"}\n`,
      2,
      124,
    ],
    ["more than 500 operations", `rules:\n- {id: r, expression: "1${" + 1".repeat(600)} == 1"}\n`, 2, 432],
    ["at most 10000 characters", `rules:\n- {id: r, expression: "'${"a".repeat(10_000)}'"}\n`, 2, 23],
  ])("%s", async (message, policy, line, column) => {
    const refusal = await refusalOf(runTool(tool, { data: "{}", policy }));
    expect(refusal).toMatchObject({ code: "invalid_document", field: "policy", line, column });
    expect(refusal.message).toContain(message);
  });

  test("500 rules are accepted, and 501 refused", async () => {
    const rules = (count: number): string =>
      policyOf(Array.from({ length: count }, (_, at) => ({ id: `r${at}`, expression: "document.a == 1" })));
    expect(await check('{"a":1}', rules(500))).toEqual([]);
    expect((await refusalOf(runTool(tool, { data: "{}", policy: rules(501) }))).message).toContain(
      "rules can have at most 500 items, not 501",
    );
  });
});

describe("limits", () => {
  test("100,000 evaluations: the rest is not checked, which is an error", async () => {
    const data = JSON.stringify(Array.from({ length: 50_001 }, () => 1));
    const rule = { each: "$[*]", expression: "self == 1" };
    const found = await check(
      data,
      policyOf([
        { id: "a", ...rule },
        { id: "b", ...rule },
      ]),
    );
    expect(found).toMatchObject([{ rule: "cel-limit", severity: "error" }]);
    expect(found[0]?.message).toContain("100000");
  });

  test("10,000 findings", async () => {
    const data = JSON.stringify(Array.from({ length: 10_001 }, () => 1));
    const found = await check(data, policyOf([{ id: "a", each: "$[*]", expression: "false" }]));
    expect(found).toHaveLength(10_001);
    expect(found[0]).toMatchObject({
      rule: "cel-limit",
      message: "There are more findings than 10000, the limit.",
    });
  });

  test("texts that double are bounded before they are made", async () => {
    const variables = Array.from({ length: 40 }, (_, at) => ({
      name: `v${at}`,
      expression: at === 0 ? "'0123456789'" : `variables.v${at - 1} + variables.v${at - 1}`,
    }));
    expect(
      await check("{}", policyOf([{ id: "r", expression: "variables.v39 == ''" }], variables)),
    ).toMatchObject([{ rule: "cel-error", message: expect.stringContaining("64 MiB") }]);
    expect(
      await evaluate("'aaaaaaaaaa'.replace('', document).replace('', document) == ''", "x".repeat(100_000)),
    ).toEqual([expect.stringContaining("64 MiB")]);
  });

  test("patterns that backtrack elsewhere take no time", async () => {
    expect(await evaluate("!document.matches('^(a+)+$')", `${"a".repeat(50_000)}b`)).toEqual([]);
  });
});
