import { getHeapStatistics } from "node:v8";
import { expect, test } from "vitest";
import tool from "../../../src/tools/json/json-query.ts";
import { cases, maxSeconds } from "../../support/cases.ts";
import { refusalOf, runTool } from "../../unit/tools/run-tool.ts";

const times = (part: string, count: number, glue: string): string =>
  Array.from({ length: count }, () => part).join(glue);

/** `$a` doubled this many times. */
const doubled = (step: string, count: number): string => times(`$a := ${step};`, count, " ");

/** Queries whose result would be gigabytes, or a string at which V8 aborts the process. */
const attacks: [language: string, data: string, query: string][] = [
  ["jmespath", '"一一一一"', times(`join('', [${times("@", 400, ",")}])`, 3, " | ")],
  ["jmespath", '"xxxx"', times(`join('', [${times("@", 400, ",")}])`, 4, " | ")],
  [
    "jmespath",
    '"x"',
    `[${times("@", 1000, ",")}] | join(to_string(@), @) | [@, @, @, @, @, @, @, @, @, @] | join('', @)`,
  ],
  ["jmespath", '"一"', times("[@, @]", 40, " | ")],
  ["jmespath", '"一"', times("{a: @, b: @}", 40, " | ")],
  ["jmespath", "[[1, 2]]", times("[@, @, @, @][] | map(&@, @)", 30, " | ")],
  ["jsonata", '"一一一一"', `($a := $; ${doubled("$a & $a & $a & $a", 20)} $length($a))`],
  ["jsonata", '"一一一一"', `($a := $; ${doubled("$join([$a, $a, $a, $a])", 20)} $length($a))`],
  ["jsonata", '"一一一一"', `($a := $; ${doubled("[$string([[$a], [$a]])]", 40)} $a)`],
  ["jsonata", '"一一一一"', `($a := [$]; ${doubled("[[$a], [$a]]", 40)} $a)`],
  [
    "jsonata",
    '"一一一一"',
    `($a := $; ${doubled('$replace($a, "一", "一一一一一一一一")', 20)} $length($a))`,
  ],
  [
    "jsonata",
    '"一一一一"',
    `($a := $; ${doubled('$replace($a, /一/, "$0$0$0$0$0$0$0$0")', 20)} $length($a))`,
  ],
  [
    "jsonata",
    '"一一一一"',
    `($a := $; ${doubled("$replace($a, /一+/, function($m) { $m.match & $m.match })", 40)} 1)`,
  ],
  [
    "jsonata",
    '"一一一一"',
    `($a := $; ${doubled('$replace($a, /(一+)/, "$1$1$1$1$1$1$1$1")', 20)} $length($a))`,
  ],
  ["jsonata", '"一一一一"', `($a := $; ${doubled("$encodeUrlComponent($a & $a)", 30)} $length($a))`],
  ["jsonata", '"一一一一"', `($a := $; ${doubled("$encodeUrl($a & $a)", 30)} $length($a))`],
  ["jsonata", '"abcd"', `($a := $; ${doubled("$base64encode($a)", 90)} $length($a))`],
  ["jsonata", '"ŉŉŉŉ"', `($a := $; ${doubled("$uppercase($a & $a)", 40)} $length($a))`],
  ["jsonata", '"一一一一"', `$eval('($a := "一一"; ${doubled("$a & $a & $a & $a", 20)} $length($a))')`],
  ["jsonata", '"一一一一"', `$eval("$eval('($a := [1]; ${doubled("[[$a], [$a]]", 40)} 0 & $a)')")`],
  ["jsonata", "[1]", `($a := $; ${doubled("$append($a, $a)", 40)} $count($a))`],
  ["jsonata", "[1]", "[1..9999999]"],
  ["jsonata", "[1]", `($a := [1..1000000]; $zip(${times("$a", 200, ",")}))`],
  [
    "jsonata",
    "[1]",
    '($p := $pad("", 900000, "x"); $q := $join([$p, $p, $p, $p]); [$split($q, ""), $split($q, "")])',
  ],
  ["jsonata", "[1]", '($p := $pad("", 900000, "x"); $match($p, /x/))'],
  ["jsonata", "[1]", '($p := $pad("", 900000, "一😀"); $p)'],
  ["jq", '"x"', times(". + .", 40, " | ")],
  ["jq", '"一"', times("[., .]", 40, " | ") + " | flatten"],
  ["jq", '"一"', times("[., .]", 40, " | ")],
  ["jq", '"x"', ". * 500000000 | length"],
  ["jq", "[1]", "[range(100)] | map(null | .[9999999] = 1)"],
  ["jq", '"x"', '. * 60000000 | split("")'],
  ["jq", '"x"', ". * 60000000 | explode"],
  ["jq", '"x"', "(. * 6000000) as $a | [range(1000000) | $a | ascii_upcase]"],
  ["jq", '"[],"', '"[" + . * 20000000 + "1]" | fromjson'],
  ["jq", "[1]", "[range(1e9)]"],
  ["jq", "[1]", "def f: f, 1; f"],
  ["jq", '"x"', '. * 1000000 | [match("";"g")]'],
  ["jq", '"x"', '. * 1000000 | gsub("x"; "y" * 1000)'],
  ["jsonpath", `[${times("1", 1000, ",")}]`, `$[${times("*", 2000, ",")}]`],
];

/** The filters that take the longest. `make test` runs some of them, and of each language. */
const slow: typeof attacks = [
  ["jmespath", "[1, 2]", times("[@, reverse(@)][]", 30, " | ")],
  ["jmespath", '"一"', `${times("[@, @]", 40, " | ")} | to_string(@)`],
  ["jmespath", "[1, 2]", times("[@, @][]", 30, " | ")],
  ["jmespath", "[[1, 2]]", times("[@, @, @, @][] | sort_by(@, &to_string(@))", 30, " | ")],
  ["jmespath", '{"a":"x"}', `${times("[@, @][]", 22, " | ")} | [*].{a: a, b: a, c: a}`],
  ["jsonata", '"一一一一"', `($a := [$]; ${doubled("[[$a], [$a]]", 40)} "" & $a)`],
  ["jsonata", '"一一一一"', `($a := [$]; ${doubled("[[$a], [$a]]", 40)} $string($a))`],
  ["jsonata", '"一一一一"', `($a := {"a": $}; ${doubled('{"a": $a, "b": $a}', 40)} $clone($a))`],
  ["jsonata", '"一一一一"', `($a := {"a": $}; ${doubled('{"a": $a, "b": $a}', 40)} $a ~> |a|{"c": 1}|)`],
  [
    "jmespath",
    '{"a":"x"}',
    `[${times("@", 500, ",")}] | [*].values({a: [@, @], b: to_string(@)})` + times(" | [@, @][]", 30, ""),
  ],
  ["jsonata", "[1]", "($f := function($n) { [$f($n + 1), $n] }; $f(0))"],
  ["jsonata", "[1]", `($a := $; ${doubled("[$a, $a]", 40)} $count($a))`],
  ["jsonata", "[1]", "($a := [1..3000000]; $b := [1..3000000]; $c := [1..3000000]; 1)"],
  ["jq", '"一"', times("[., .]", 40, " | ") + " | tojson"],
  ["jq", '"x"', times("{a: ., b: .}", 40, " | ") + " | @json"],
  ["jq", "[1]", "[range(300)] | [combinations(5)]"],
  ["jsonata", "[1]", "[1..3000].[1..3000]"],
];

const refused = [...attacks, ...cases(slow, maxSeconds)].map(([language, data, query]) => ({
  title: `${language}: ${query.slice(0, 70)}`,
  language,
  data,
  query,
}));

test.each(refused)("$title", async ({ language, data, query }) => {
  const before = getHeapStatistics().used_heap_size;
  const refusal = await refusalOf(runTool(tool, { data, query, language }));
  const after = getHeapStatistics().used_heap_size;
  expect(`${refusal.code}: ${refusal.message}`).toMatch(
    /^memory_exceeded: The (?:expression makes more than (?:64|128) MiB|filter (?:takes|calls)|results are larger)|^invalid_document: The result is larger than|^invalid_document: jq: (?:The result is too large|Repeat string result)|^invalid_input: .*(nests too deeply|at most|Stack overflow)/,
  );
  // Garbage included: far below the 512 MiB, or 256 MiB of two-byte text, at which V8 aborts a process.
  expect(after - before).toBeLessThan(400 * 1024 * 1024);
});

test("a large value within the budget is returned", async () => {
  const ask = (language: string, data: string, query: string) =>
    runTool(tool, { data, query, language, indent: 0 });
  const list = JSON.stringify(Array.from({ length: 50_000 }, (_, index) => index));
  expect(await ask("jmespath", list, "length(sort(reverse(@)))")).toBe("50000");
  expect(await ask("jmespath", list, "length(to_string(map(&[@], @)))")).toBe(String(list.length + 100_000));
  expect(await ask("jmespath", '"a😀b\\ud800"', "reverse(@)")).toBe('"\\ud800b😀a"');
  expect(await ask("jsonata", "[]", "$count([1..300000])")).toBe("300000");
  expect(await ask("jsonata", "[]", '$length($pad("", 900000, "é") & $string([1..1000]))')).toBe("903894");
  expect(await ask("jsonata", "[]", '$substring($pad("", 10000, "x") & "tail", -4, 2)')).toBe('"ta"');
  expect(await ask("jsonata", "[]", '$substring($pad("", 10000, "😀") & "tail", 9999, 2)')).toBe('"😀t"');
  expect(await ask("jsonata", "[]", '$count($split($pad("", 100000, "x"), ""))')).toBe("100000");
  expect(await ask("jsonpath", list, "$[?@ >= 49999]")).toBe("[49999]");
  expect(await ask("jsonpath", '[[1,[2]],{"a":{"b":3}}]', "$..*")).toBe(
    '[[1,[2]],{"a":{"b":3}},1,[2],2,{"b":3},3]',
  );
});
