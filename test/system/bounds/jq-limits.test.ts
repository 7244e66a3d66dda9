import { expect, test } from "vitest";
import { runJq } from "../../unit/lib/jq/run.ts";

test.each([
  ["calls of functions", "def f: if . == 0 then 0 else (. - 1 | f) + 1 end; 50000 | f", "50000"],
  ["tail calls", "def f: if . >= 300000 then . else . + 1 | f end; 0 | f", "300000"],
  ["results of a generator", "last(range(300000))", "299999"],
  ["a path", "[range(9999) | 0] as $p | setpath($p; 1) | getpath($p)", "1"],
  ["a document", "reduce range(9000) as $i (1; [.]) | tojson | fromjson | flatten", "[1]"],
  ["descent", "reduce range(5000) as $i (1; [.]) | [..] | length", "5001"],
  [
    "a reduce that builds an object",
    "reduce range(100000) as $i ({}; .[$i | tostring] += 1) | length",
    "100000",
  ],
  ["a reduce that builds an array", "reduce range(100000) as $i ([]; . + [$i]) | length", "100000"],
  ["an early end", "first(range(1e9))", "0"],
  ["until", "0 | until(. > 100000; . + 1)", "100001"],
  ["padding within base64", '"=" * 2000000 + "x" | [@base64d?, @base32d?]', "[]"],
])("%s cost no stack and linear time", async (_, program, wanted) => {
  expect(await runJq(program)).toEqual([wanted]);
});

test.each([
  ["[., .] as $x | $x", "reduce range(40) as $i (1; [., .]) | tojson"],
  ["flatten", "reduce range(40) as $i (1; [., .]) | flatten"],
  ["text", 'reduce range(60) as $i ("ab"; . + .) | length'],
  ["a repeated text", '"abcdefgh" * 400000000'],
  ["an index", ".[500000000] = 1"],
  ["a loop", "def f: f; f"],
  ["a loop that forks", "def f: f, 1; f"],
  ["calls", "def f: f + 1; f"],
  ["a range", "[range(1e12)]"],
  ["copies", "[range(100000)] | [range(100000) as $i | .[$i] = 1]"],
  ["combinations", "[range(100)] | [combinations(9)] | length"],
  ["pieces", '"x" * 50000000 | split("")'],
  ["directives of a time", '"%c" * 20000000 as $format | 0 | strftime($format)'],
  ["parts of lists that repeat", "reduce range(30) as $i (1; [., .]) | contains(.)"],
  ["places of a long part", "[range(100000) | 1] | indices([range(50000) | 1])"],
  ["slices that are deleted", "[range(10000)] | del(.[range(10000):])"],
])("%s are limited", async (_, program) => {
  await expect(runJq(program)).rejects.toThrow(/limit|too (?:large|long)/);
});
