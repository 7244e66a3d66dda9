import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder } from "./host.ts";

/** The command reads its input as a process does, so that it is always run as one. */
function jq(words: readonly string[], input = "", cwd = makeFolder()) {
  const executable = process.env.TEST_EXECUTABLE;
  const [command, ...first] =
    executable === undefined
      ? [process.execPath, join(import.meta.dirname, "../../../src/main.ts")]
      : [executable];
  const { status, stdout, stderr } = spawnSync(command, [...first, "jq", ...words], {
    input,
    cwd,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { PATH: process.env.PATH, HOME: cwd, LANGUAGE_OF_TEST: "jq" },
  });
  return { status, stdout, stderr };
}

describe("options of jq", () => {
  test.each<[words: string[], input: string, stdout: string]>([
    [
      ["."],
      '{"b":[1.50,12345678901234567890],"a":{}}',
      '{\n  "b": [\n    1.50,\n    12345678901234567890\n  ],\n  "a": {}\n}\n',
    ],
    [["-c", "."], '{"a": 1}\n[2]\n"3" 4', '{"a":1}\n[2]\n"3"\n4\n'],
    [["-rc", ".[]"], '["a b",["c"]]', 'a b\n["c"]\n'],
    [["-j", ".[]"], '["a","b",1]', "ab1"],
    [["-Sc", "."], '{"b":1,"a":{"d":1,"c":2}}', '{"a":{"c":2,"d":1},"b":1}\n'],
    [["-ac", "."], '"é😀"', '"\\u00e9\\ud83d\\ude00"\n'],
    [["--tab", "."], "[1]", "[\n\t1\n]\n"],
    [["--indent", "1", "."], "[1]", "[\n 1\n]\n"],
    [["--indent", "0", "."], "[1]", "[1]\n"],
    [["-sc", "map(. + 1)"], "1 2\n3", "[2,3,4]\n"],
    [["-n", "[inputs]", "-c"], "1 2", "[1,2]\n"],
    [
      ["-nc", "[1, $x, $ARGS.named, $y]", "--arg", "x", "v=1", "--argjson", "y", '{"z":1.0}'],
      "",
      '[1,"v=1",{"x":"v=1","y":{"z":1.0}},{"z":1.0}]\n',
    ],
    [["-nc", "--null-input", "$ARGS.positional", "--args", "a", "-c", "b"], "", '["a","b"]\n'],
    [["-nc", "$ARGS.positional", "--jsonargs", "1", "[2]"], "", "[1,[2]]\n"],
    // It runs once, whether or not inputs are left.
    [["-n", "input"], "1 2", "1\n"],
    [["-n", "7"], "1 2", "7\n"],
    [["-R", "."], "a\nb", '"a"\n"b"\n'],
    [["-Rs", "."], "a\nb\n", '"a\\nb\\n"\n'],
    [["-Rn", "[inputs]", "-c"], "a\nb\n", '["a","b"]\n'],
    [["-n", "input, input_filename"], "7", "7\nnull\n"],
    [["-n", '"\\(1 + 1)" | debug | tonumber'], "", "2\n"],
    [["-n", "1, halt, 2"], "", "1\n"],
    [[".a", "-"], '{"a":1}', "1\n"],
    [[], "[1]", "[\n  1\n]\n"],
    [["-M", "-b", "--unbuffered", "--", "-1"], "0", "-1\n"],
    [["--raw-output0", ".[]"], '["a\\nb",1]', "a\nb\u00001\0"],
    [["--seq", "-c", "."], '\x1e{"a":1}\n\x1e[2]\n', '\x1e{"a":1}\n\x1e[2]\n'],
    [
      ["--stream", "-c", "."],
      '{"a":[1,{}],"b":[]} 3',
      '[["a",0],1]\n[["a",1],{}]\n[["a",1]]\n[["b"],[]]\n[["b"]]\n[[],3]\n',
    ],
    [["--stream", "-nc", "fromstream(1 | truncate_stream(inputs))"], '[{"a":1},[2]]', '{"a":1}\n[2]\n'],
    [["-nr", "$ENV.LANGUAGE_OF_TEST, env.LANGUAGE_OF_TEST"], "", "jq\njq\n"],
    [["-n", "--arg", "ENV", "mine", "-r", "$ENV, (env | type)"], "", "mine\nobject\n"],
  ])("%j", (words, input, stdout) => {
    expect(jq(words, input)).toMatchObject({ status: 0, stdout });
  });

  test("reads files one after another, and filters, values and texts from files", () => {
    const folder = makeFolder();
    for (const [name, text] of Object.entries({
      a: '{"n":1}',
      b: '{"n":2}\n{"n":3}',
      f: ".n # a filter\n",
      t: "x\ny",
    }))
      writeFileSync(join(folder, name), text);
    expect(jq([".n", "a", "b"], "", folder)).toMatchObject({ status: 0, stdout: "1\n2\n3\n" });
    expect(jq(["-f", "f", "a"], "", folder)).toMatchObject({ status: 0, stdout: "1\n" });
    expect(jq(["-r", "input_filename", "a", "b"], "", folder).stdout).toBe("a\nb\nb\n");
    expect(jq(["-nc", "[$s, $r]", "--slurpfile", "s", "b", "--rawfile", "r", "t"], "", folder).stdout).toBe(
      '[[{"n":2},{"n":3}],"x\\ny"]\n',
    );
    expect(jq([".n", "missing", "a"], "", folder)).toEqual({
      status: 2,
      stdout: "1\n",
      stderr: "penknife: jq: Could not open missing: ENOENT\n",
    });
  });

  test("reads values that cross the pieces in which input arrives", () => {
    const row = (at: number): string =>
      JSON.stringify({ at, text: "é😀".repeat(at % 3000), list: [[at], {}] }, null, at % 3);
    const rows = Array.from({ length: 400 }, (_, at) => row(at));
    expect(jq(["-c", ".at"], rows.join("\n")).stdout).toBe(rows.map((_, at) => `${at}\n`).join(""));
    const large = JSON.stringify(
      Array.from({ length: 200_000 }, (_, at) => ({ at })),
      null,
      1,
    );
    expect(jq(["length"], large).stdout).toBe("200000\n");
  });
});

describe("exit status", () => {
  test.each<[words: string[], input: string, status: number, stderr: string]>([
    [["-e", "."], "1", 0, ""],
    [["-e", "."], "1 null", 1, ""],
    [["-e", "."], "1 false", 1, ""],
    [["-e", "empty"], "1", 4, ""],
    [["--nope", "."], "1", 2, "penknife: Unknown option --nope. Run penknife jq --help for a list.\n"],
    [["-rz", "."], "1", 2, "penknife: Unknown option -z in -rz. Run penknife jq --help for a list.\n"],
    [["-C", "."], "1", 2, "penknife: -C: Results are written without colours here; leave the option out.\n"],
    [["-rC", "."], "1", 2, "penknife: -C: Results are written without colours here; leave the option out.\n"],
    ...[["-L", "lib"], ["-Llib"], ["--library-path=lib"]].map((words): [string[], string, number, string] => [
      [...words, "."],
      "1",
      2,
      `penknife: ${words[0]?.startsWith("--") === true ? "--library-path" : "-L"}: Modules are not supported; write the definitions into the filter, or into the file of --from-file.\n`,
    ]),
    [
      ["--argfile", "x", "f", "."],
      "1",
      2,
      "penknife: --argfile: Its values are those of --slurpfile NAME FILE, in an array; write $NAME[0] for the first.\n",
    ],
    [
      ["--version"],
      "",
      2,
      "penknife: --version: penknife version prints the version; the filters are those of jq 1.8.\n",
    ],
    [
      ["--raw-output0", "."],
      '"a\\u0000"',
      5,
      "penknife: jq: Cannot dump a string containing NUL with --raw-output0 option\n",
    ],
    [["--indent", "9", "."], "1", 2, "penknife: --indent must be a number from 0 to 7.\n"],
    [["--arg", "x"], "1", 2, "penknife: --arg needs a name and a value: --arg NAME VALUE\n"],
    [
      ["--argjson", "x", "{", "."],
      "1",
      2,
      "penknife: --argjson: the text is not JSON: Unfinished JSON term.\n",
    ],
    [
      ["--slurpfile", "x", "nofile", "."],
      "1",
      2,
      "penknife: nofile does not exist; --slurpfile names a file.\n",
    ],
    [["."], '{"a":1}\n\n{"a" 1}', 2, "penknife: jq: Objects must consist of key:value pairs at line 3\n"],
    [["."], '{"a":', 2, "penknife: jq: Unfinished JSON term at the end at line 1\n"],
    [
      [".a[\n"],
      "1",
      3,
      "penknife: The filter is at fault: Unexpected the end; expected a filter, at line 2, column 1.\n",
    ],
    [[". | foo"], "1", 3, "penknife: The filter is at fault: foo/0 is not defined, at line 1, column 5.\n"],
    [[".a"], "1", 5, 'penknife: jq: Cannot index number with string ("a")\n'],
    [["error({a: 1})"], "1", 5, 'penknife: jq: (not a string): {"a":1}\n'],
    [['"stop\\n" | halt_error'], "1", 5, "stop\n"],
    [["{a: 1} | halt_error(3)"], "1", 3, '{"a":1}\n'],
    [
      ["--max-steps", "5000", "def f: f; f"],
      "1",
      5,
      "penknife: jq: The filter takes more than 5000 steps on this document, the limit. Select less of the document.\n",
    ],
  ])("%j", (words, input, status, stderr) => {
    expect(jq(words, input)).toMatchObject({ status, stderr });
  });

  test("goes on with the next input after an error", () => {
    expect(jq([".a"], '1 {"a":2}')).toMatchObject({ status: 5, stdout: "2\n" });
  });
});
