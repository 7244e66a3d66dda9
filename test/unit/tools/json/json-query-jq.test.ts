import { describe, expect, test } from "vitest";
import tool from "../../../../src/tools/json/json-query.ts";
import { refusalOf, runTool } from "../run-tool.ts";

const ask = (data: string, query: string, options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, query, language: "jq", indent: 0, ...options });

describe("jq", () => {
  test.each<[data: string, query: string, options: Record<string, unknown>, result: string]>([
    ['{"a":[1.50,12345678901234567890]}', ".a[]", {}, "1.50\n12345678901234567890"],
    ['{"a":{"b":1}}', ".a", { indent: 2 }, '{\n  "b": 1\n}'],
    ['["x y",{"a":"z"}]', ".[]", { output: "raw", indent: 2 }, 'x y\n{"a":"z"}'],
    ["1", "empty", {}, ""],
    ["1", "1, halt, 2", {}, "1"],
    ["// c\n{a:0x10, b: +.5}", ".a, .b", { dialect: "json5" }, "16\n0.5"],
    ['{"a":1}\n{"a":2}', ".a", { inputs: "ndjson" }, "1\n2"],
    ['{"a":1}\n\n{"a":2}\n', "map(.a)", { inputs: "ndjson", slurp: true }, "[1,2]"],
    ["1\n2\n3", "[., input]", { inputs: "ndjson" }, "[1,2]\n[3,null]"],
    ["1\n2\n3", "[., inputs]", { inputs: "ndjson" }, "[1,2,3]"],
    ["[1]", "[.]", { slurp: true }, "[[[1]]]"],
    ["a\nb\n", ".", { inputs: "raw" }, '"a"\n"b"'],
    ["a\nb\n", ".", { inputs: "raw", slurp: true }, '"a\\nb\\n"'],
    ["null", "$x + 1, $ARGS.named, $y", { arguments: '{"x":1,"y":[2.0]}' }, '2\n{"x":1,"y":[2.0]}\n[2.0]'],
    ["null", "now, (now | todate)", { now: "2026-01-02T03:04:05Z" }, '1767323045\n"2026-01-02T03:04:05Z"'],
    ['"aXb"', 'test("x"; "i"), [splits("X")]', {}, 'true\n["a","b"]'],
    ["null", "$ENV, env, $__loc__.line, (try input catch .)", {}, '{}\n{}\n1\n"No more inputs"'],
  ])("%s | %s %j", async (data, query, options, result) => {
    if (result === "[1,2]\n[3,null]")
      expect(await refusalOf(ask(data, query, options))).toMatchObject({ message: "jq: No more inputs" });
    else expect(await ask(data, query, options)).toBe(result);
  });

  test.each<
    [data: string, query: string, options: Record<string, unknown>, refusal: Record<string, unknown>]
  >([
    [
      "1",
      ".a[",
      {},
      { code: "invalid_input", pointer: "/query", message: /Unexpected the end.*at character 4/ },
    ],
    [
      "1",
      ". | foo(1)",
      {},
      { code: "invalid_input", pointer: "/query", message: /foo\/1 is not defined, at character 5/ },
    ],
    ["1", 'import "a" as a; .', {}, { code: "invalid_input", message: /Modules are not supported/ }],
    ["1", "input_filename", {}, { code: "invalid_input", message: /has no meaning here/ }],
    ["1", "now", {}, { code: "invalid_input", message: /pass it in now/ }],
    ["1", ".a", {}, { code: "invalid_document", message: /^jq: Cannot index number with string \("a"\)$/ }],
    ["1", 'error("no: \\(.)")', {}, { code: "invalid_document", message: /^jq: no: 1$/ }],
    [
      "1",
      "{a: 1} | halt_error",
      {},
      { code: "invalid_document", message: /^jq: \(not a string\): \{"a":1\}$/ },
    ],
    ['"a"', 'test("(?=a)")', {}, { code: "invalid_document", message: /not a valid regex.*look-around/ }],
    ['{"a":1', ".", {}, { code: "invalid_document" }],
    ['{"a":1}\n{"a"', ".", { inputs: "ndjson" }, { code: "invalid_document" }],
    ["1", ".", { output: "nodes" }, { code: "invalid_input", pointer: "/output" }],
    ["1", ".", { arguments: "[1]" }, { code: "invalid_document" }],
    ["1", ".", { arguments: '{"a-b":1}' }, { code: "invalid_input", pointer: "/arguments" }],
    ["1", ".", { inputs: "raw", dialect: "jsonc" }, { code: "invalid_input", pointer: "/dialect" }],
    ["1", "$.a", { language: "jsonpath", slurp: true }, { code: "invalid_input", pointer: "/slurp" }],
    ["1", "$.a", { language: "jsonpath", inputs: "raw" }, { code: "invalid_input", pointer: "/inputs" }],
    [
      "1",
      "$.a",
      { language: "jsonpath", arguments: '{"a":1}' },
      { code: "invalid_input", pointer: "/arguments" },
    ],
    [
      "1",
      ".a",
      { language: "jsonpath" },
      { code: "invalid_input", message: /write \$\.a, or set language to jq/ },
    ],
  ])("refuses %s | %s %j", async (data, query, options, { message, ...rest }) => {
    const refusal = await refusalOf(ask(data, query, options));
    expect(refusal).toMatchObject(rest);
    if (message !== undefined) expect(refusal.message).toMatch(message as RegExp);
  });
});
