import { expect, test } from "vitest";
import tool from "../../../../src/tools/data/toml-editor.ts";
import { checkTool, refusalOf, runTool } from "../run-tool.ts";

const edit = (data: string, edits: string[], options: Record<string, unknown> = {}): Promise<string> =>
  runTool(tool, { data, edits, ...options });

test.each([
  ["a = 'x' # c\n", ["a=y"], "a = 'y' # c\n"],
  ["a = 'x'\n", ["a=it's"], 'a = "it\'s"\n'],
  ["a = 1\n", ["a=1979-05-27"], "a = 1979-05-27\n"],
  ["a = 1\n", ["a=0x10"], "a = 16\n"],
  ["a = 1\n", ['a={"b":[1]}'], "a = { b = [1] }\n"],
  ['a = """\nx\n"""\n', ["a=y"], 'a = "y"\n'],
  ["a.b = 1\na.c = 2\n\n[d]\n", ["a.e=3"], "a.b = 1\na.c = 2\na.e = 3\n\n[d]\n"],
  ["[a]\n  b = 1\n\n[c]\n", ["a.d=2"], "[a]\n  b = 1\n  d = 2\n\n[c]\n"],
  ["[a]\n", ["a.b=1"], "[a]\nb = 1\n"],
  ["", ["a=1"], "a = 1\n"],
  ["", ["a.b=1"], "[a]\nb = 1\n"],
  ["# c\n[a]\nx=1\n", ["b=1"], "b = 1\n\n# c\n[a]\nx=1\n"],
  ["a=1", ["b=2"], "a=1\nb = 2"],
  ["a=1\r\n[b]\r\nc=1\r\n", ["b.d=2", "a=3"], "a=3\r\n[b]\r\nc=1\r\nd = 2\r\n"],
  ["[a.b]\nc=1\n", ["a.x=1"], "[a.b]\nc=1\n\n[a]\nx = 1\n"],
  ["a = [\n  1,\n  2, # two\n]\n", ["a[]+=3", "-a[0]"], "a = [\n  2, # two\n  3,\n]\n"],
  ["a = {}\nb = []\n", ["a.b=1", "b[]+=x"], 'a = { b = 1 }\nb = ["x"]\n'],
  ["[[a]]\nx=1\n[[a]]\nx=2\n", ["a[x=2].y=3"], "[[a]]\nx=1\n[[a]]\nx=2\ny = 3\n"],
  ["[[a]]\nx=1\n\n[b]\n", ['a[]+={"x":2}'], "[[a]]\nx=1\n\n[[a]]\nx = 2\n\n[b]\n"],
  ["[a]\nb=1\n\n[a.c]\nd=1\n\n[e]\nf=1\n", ["-a"], "[e]\nf=1\n"],
  ["a.b=1\n# of c\nc=2 # d\na.e=3\n", ["-a"], "# of c\nc=2 # d\n"],
  ["[a]\nb = 1 # c\n", ["-a.b"], "[a]\n"],
  ['"a.b" = 1\n', ['"a.b"=2', "__proto__=1"], '"a.b" = 2\n__proto__ = 1\n'],
])("%j with %j is %j", async (data, edits, result) => {
  expect(await edit(data, edits)).toBe(result);
});

test.each([
  ["[a]\n", ["a=1"], "A table with a header or dotted keys cannot be replaced"],
  ["a=1\n", ["a=null"], "TOML has no null"],
  ["a=[1]\n", ["a[]+=null"], "TOML has no null"],
  ["a=1\n", ["a.b=1"], "a is a number"],
  ["[[a]]\n", ["a[]+=1"], "must be a table"],
])("%j with %j is refused", async (data, edits, message) => {
  const refusal = await refusalOf(edit(data, edits));
  expect(refusal).toMatchObject({ code: "invalid_input", pointer: "/edits" });
  expect(refusal.message).toContain(message);
});

test("a document that is not TOML is refused at its place", async () => {
  expect(await refusalOf(edit("a = \n", ["a=1"]))).toMatchObject({
    code: "invalid_document",
    line: 1,
    column: 5,
  });
  expect(await refusalOf(edit("a = {\nb=1}", ["a.b=2"], { version: "1.0" }))).toMatchObject({
    code: "invalid_document",
  });
  expect((await refusalOf(edit(`a=${"[".repeat(600)}`, ["a=1"]))).message).toContain("512 levels");
});

test("a check says whether the values are those that the edits set", async () => {
  const data = '[package]\nversion = "1"\n';
  expect(await checkTool(tool, { data, edits: ['package.version="1"'] })).toMatchObject({ valid: true });
  expect(await checkTool(tool, { data, edits: ['package.version="2"'] })).toMatchObject({
    valid: false,
    errors: [{ line: 2 }],
  });
});
