import { describe, expect, test } from "vitest";
import { runJq } from "./run.ts";

describe("jq", () => {
  test.each([
    // Numbers keep their digits until arithmetic touches them.
    [".", "[1.50,1E2,12345678901234567890,-0,0.10]", "[1.50,1E2,12345678901234567890,-0,0.10]"],
    [".[0] + 0, -.[1]", "[1.50,12345678901234567890]", "1.5 -12345678901234567890"],
    [".[0] == .[1], (.[0] + 0) == .[1]", "[9007199254740993,9007199254740992]", "false true"],
    [
      "., map(. + 0), (.[0] == 1e15, .[1] > .[0]), unique, group_by(.)[0]",
      "[1000000000000000,9007199254740991,-65.613616999999977,-65.61361699999998]",
      "[1000000000000000,9007199254740991,-65.613616999999977,-65.61361699999998] [1000000000000000,9007199254740991,-65.61361699999998,-65.61361699999998] true true [-65.61361699999998,-65.613616999999977,1000000000000000,9007199254740991] [-65.61361699999998]",
    ],
    ["1e17 + 0, 1e-5 + 0, 123456789012345678 + 0", "null", "1e+17 1e-05 123456789012345680"],
    // Keys keep their order and may have any name.
    ["., keys", '{"b":1,"2":2,"__proto__":3}', '{"b":1,"2":2,"__proto__":3} ["2","__proto__","b"]'],
    [
      "[(1,2) + (10,20)], [{a: (1,2), b: (3,4)}]",
      "null",
      '[11,12,21,22] [{"a":1,"b":3},{"a":1,"b":4},{"a":2,"b":3},{"a":2,"b":4}]',
    ],
    [String.raw`"\(1,2) \(3,4)"`, "null", '"1 3" "2 3" "1 4" "2 4"'],
    // Errors from behind a try are not its own.
    ["try ((try 1 catch 2) | error) catch [.]", "null", "[1]"],
    ["[.[] | try error catch .], [(.[] | error)?]", "[1,null]", "[1,null] []"],
    ["try error(null) catch .", "null", "null"],
    ["(label $a | 1, (label $b | 2, break $a), 3), 4", "null", "1 2 4"],
    ["def f: def g: 3; g; def h(x; $y): x + $y; h(f; 1, 2)", "null", "4 5"],
    ["def f(g): g | g; f(.[] as $x | $x, $x + 1 | [.])", "[1]", "[1] [2] [2] [3]"],
    ["[.[] as [$a, {b: $c}] | $a, $c]", '[[1,{"b":2}],[3]]', "[1,2,3,null]"],
    [". as {$a, b: [$c]} ?// $a | [$a, $c]", "7", "[7,null]"],
    ["path(..)", '{"a":[1]}', '[] ["a"] ["a",0]'],
    [
      "try path(1 | .a) catch .",
      "null",
      '"Invalid path expression near attempt to access element \\"a\\" of 1"',
    ],
    [
      "(.a, .b) = 1, (.a |= empty), (.c += 1), del(.a, .b), to_entries",
      '{"a":0}',
      '{"a":1,"b":1} {} {"a":0,"c":1} {} [{"key":"a","value":0}]',
    ],
    [".[1:] = [9], .[-1:], del(.[0, 1])", "[1,2,3]", "[1,9] [3] [3]"],
    ["reduce .[] as $x ({}; .[$x] += 1)", '["a","b","a"]', '{"a":2,"b":1}'],
    ["[foreach .[] as $x (0; . + $x; [$x, .])]", "[1,2]", "[[1,1],[2,3]]"],
    [
      "first(range(10;0;-3)), [limit(3; repeat(1))], isempty(empty), [skip(1; 1, 2)]",
      "null",
      "10 [1,1,1] true [2]",
    ],
    [
      "@csv, @tsv, @sh, (.[0] | @html, @uri, @base64, (@base64 | @base64d), @base32)",
      '["a<\'b",1,null]',
      `"\\"a<'b\\",1," "a<'b\\t1\\t" "'a<'\\\\''b' 1 null" "a&lt;&apos;b" "a%3C%27b" "YTwnYg==" "a<'b" "ME6COYQ="`,
    ],
    [
      'test("B"; "i"), [match("(?<x>b)|c"; "g") | .captures[0].string], sub("b"; "[\\(.)]"), [splits("b")]',
      '"abc"',
      'true ["b",null] "a[{}]c" ["a","c"]',
    ],
    ['gsub("(?<l>[a-z])"; "\\(.l)-"), [scan("\\\\w")], ascii_upcase', '"éa"', '"éa-" ["é","a"] "éA"'],
    [
      'mktime, todate, strftime("%j %U %G-%V")',
      "[2015,2,5,23,51,47,4,63]",
      '1425599507 "2015-03-05T23:51:47Z" "064 09 2015-10"',
    ],
    ['strptime("%A, %B %d, %Y"), (fromdate? // 0)', '"Thursday, March 05, 2015"', "[2015,2,5,0,0,0,4,63] 0"],
    ["now | floor", "null", "1425599621"],
    [
      "tojson, (tojson | fromjson), ([.[]?] | add), (.. | numbers)",
      '{"a":1.0}',
      '"{\\"a\\":1.0}" {"a":1.0} 1.0 1.0',
    ],
    [
      "fromstream(tostream), [1 | truncate_stream([[0],1],[[1,0],2],[[1,0]],[[1]])]",
      '{"a":[1,{"b":2}]}',
      '{"a":[1,{"b":2}]} [[[0],2],[[0]]]',
    ],
    [
      "INDEX(.[]; .id), (. as $a | 1 | IN($a[].id)), [limit(1; .[] | .id)]",
      '[{"id":1}]',
      '{"1":{"id":1}} true [1]',
    ],
    ['walk(if type == "number" then . + 1 else . end), [.[] | tostream]', "[[1]]", "[[2]] [[[0],1],[[0]]]"],
    [
      '$__loc__, $ENV, env, @text "a\\(1)", "\\u00e9" # comment',
      "null",
      '{"file":"<top-level>","line":1} {} {} "a1" "é"',
    ],
    [
      '. as [$a] | {$a, "b": 2, "c\\(1)": 3, ("d"): 4, @base64 "e": 5}',
      "[1]",
      '{"a":1,"b":2,"c1":3,"d":4,"e":5}',
    ],
    ["[input, input], [inputs]", "1", "[2,3] []"],
    ['ltrimstr("a"), trim, ascii, implode', "97", ""],
    [
      "frexp, modf, (10 | log10, exp10 | round), ldexp(1; 3), significand",
      "6.5",
      "[0.8125,3] [0.5,6] 1 10000000000 8 1.625",
    ],
    ['getpath(["a", 0]), splits("x")?', '{"a":[5]}', "5"],
    [
      "limit(3; .[]), (.[2:] | bsearch(4)), group_by(. % 2), unique_by(. % 2), min_by(-.)",
      "[1,2,3,4]",
      "1 2 3 1 [[2,4],[1,3]] [2,1] 4",
    ],
  ])("%s on %s", async (program, input, wanted) => {
    const more = input === "1" ? [2, 3] : [];
    let found: string;
    try {
      found = (await runJq(program, input, { more })).join(" ");
    } catch (error) {
      found = wanted === "" || wanted.endsWith(" ") ? wanted : String((error as Error).stack);
    }
    expect(found).toBe(wanted);
  });
});

describe("sharing", () => {
  test.each([
    // What a reduce changes in place is never what something else holds.
    ["reduce range(3) as $i ({}; .a.x = $i | .b = .a)", '{"a":{"x":2},"b":{"x":2}}'],
    ["[reduce range(3) as $i ([]; . + [.])] | tojson", '"[[[],[[]],[[],[[]]]]]"'],
    [
      "reduce range(2) as $i ({a: {n: 0}}; .saved += [.a] | .a.n += 1)",
      '{"a":{"n":2},"saved":[{"n":0},{"n":1}]}',
    ],
    ["reduce range(2) as $i ([[0]]; .[0] |= [., .] | .[0][0] |= . + [1])", "[[[[0,1],[0],1],[[0,1],[0]]]]"],
    ["{a: {n: 1}} | . as $before | reduce 1 as $i (.; .a.n = 2) | [$before.a.n, .a.n]", "[1,2]"],
    ["[foreach range(3) as $i ({}; .k[$i | tostring] = $i)] | map(.k | length)", "[1,2,3]"],
    ["[[1], [2]] | (.[0], .[1]) |= (. + [9]) | .[0] = .[1] | .[0][0] = 7", "[[7,9],[2,9]]"],
    ["{a: [1]} | [(.a += [2], .a += [3])], .", '[{"a":[1,2]},{"a":[1,3]}]'],
  ])("%s", async (program, wanted) => {
    expect((await runJq(program))[0]).toBe(wanted);
  });
});

describe("as jq 1.8.2", () => {
  test.each([
    // A part that is found by its index is indexed again.
    ['try index("a") catch .', '{"a":true}', '"Cannot index boolean with number (0)"'],
    ['index("a"), rindex("a"), index(",")', '{"a":null}', "null null null"],
    ['[isinfinite, isnan, isnormal], ("a" | isnan)', "[]", "[false,false,false] false"],
    ["from_entries", '[{"Key":"a","Value":1},{"key":false,"name":"b","value":2}]', '{"a":1,"b":2}'],
    ["try from_entries catch .", '[{"key":0}]', '"Cannot use number (0) as object key"'],
    ["try from_entries catch .", '[{"k":"a","v":1}]', '"Cannot use null (null) as object key"'],
    ["1, 2 | lgamma", "null", "0 0"],
    ["try limit(nan; 1) catch .", "null", `"limit doesn't support negative count"`],
    ["try limit(null; 1) catch .", "null", `"limit doesn't support negative count"`],
    ["-0, -(0), (0 | -.), -0.0", "null", "0 0 0 0.0"],
    [
      '. as [{("a", "b"): $x}, {("c", "d"): $y}] | [$x, $y]',
      '[{"a":1,"b":2},{"c":3,"d":4}]',
      "[1,3] [2,3] [1,4] [2,4]",
    ],
    ["try ([paths(.a)]) catch .", "7", '"Cannot index number with string (\\"a\\")"'],
    ["[paths(. == 1)]", '{"a":1,"b":[1]}', '[["a"],["b",0]]'],
    ["try .[1:] catch .", "7", '"Cannot index number with object ({\\"start\\":1,\\"end\\":null})"'],
    ["try .[] catch .", "null", '"Cannot iterate over null (null)"'],
    [
      "try group_by(1) catch .",
      "{}",
      '"object ({}) and array ([]) cannot be sorted, as they are not both arrays"',
    ],
    ["reverse, (true | try reverse catch .)", "{}", '[] "boolean (true) has no length"'],
    ['abs, ("a" | abs), (null | try abs catch .)', "-1.50", '1.50 "a" "null (null) cannot be negated"'],
    [
      '[(" 1", "1 ", "+1", ".5", "1.", "007", "1e5", "1e", "-", ".", "") | try tonumber catch "no"]',
      "null",
      '["no","no",1,0.5,1,7,1e5,"no","no","no","no"]',
    ],
  ])("%s", async (program, input, wanted) => {
    expect((await runJq(program, input)).join(" ")).toBe(wanted);
  });
});

describe("faults of a program", () => {
  test.each([
    [".a[", 3, "Unexpected the end"],
    [". as $x | $y", 10, "$y is not defined"],
    ["foo(1)", 0, "foo/1 is not defined"],
    ["def f: nope; 1", 7, "nope/0 is not defined"],
    ["1 == 2 == 3", 7, "does not chain"],
    ["{(1): 2}", 1, "Cannot use number as object key"],
    ['import "a" as b; 1', 0, "Modules are not supported"],
    ["break $x", 0, "$*label-x is not defined"],
    [". as [] | 1", 6, "Unexpected"],
    ['"a\\q"', 2, "Not an escape"],
    ['"abc', 0, 'The closing " is missing'],
    ["@nope", 0, "is not a format"],
    ["input_filename", 0, "has no meaning here"],
    ["a::b", 0, "Modules are not supported"],
    [`${"(".repeat(2000)}1`, undefined, "nests too deeply"],
    [`${"[".repeat(200)}1`, 201, "Unexpected the end"],
  ])("%s", async (program, index, message) => {
    await expect(runJq(program)).rejects.toThrow(message);
    if (index !== undefined) await expect(runJq(program)).rejects.toMatchObject({ index });
  });
});

test("compiles a long program, and one that nests to the limit", async () => {
  expect(await runJq(Array.from({ length: 900 }, () => ".").join(" | "), "1")).toEqual(["1"]);
  expect(await runJq(Array.from({ length: 900 }, () => "1").join(" + "))).toEqual(["900"]);
  expect(await runJq(`${"[".repeat(90)}1${"]".repeat(90)} | flatten`)).toEqual(["[1]"]);
});
