import { expect, test } from "vitest";
import yamlToJson from "../../../../src/tools/data/yaml-to-json.ts";
import { refusalOf, runTool } from "../run-tool.ts";

test.each([
  [{ data: "" }, "null"],
  [{ data: "# nothing\n" }, "null"],
  [{ data: "   - key: value  ", indent: 4 }, '[\n    {\n        "key": "value"\n    }\n]'],
  [{ data: "a: 1\n--- \nb: 2\n", documents: "all", indent: 0 }, '[{"a":1},{"b":2}]'],
  [{ data: "...\n", documents: "all", indent: 0 }, "[]"],
  [{ data: "[yes, 1]", schema: "failsafe", indent: 0 }, '["yes","1"]'],
  [{ data: "on: no", indent: 0 }, '{"on":"no"}'],
  [{ data: "\ufeffa: 1\r\nb: |\r\n  x\r\n", indent: 0 }, '{"a":1,"b":"x\\n"}'],
  [
    { data: "- !a [!b {c: !!str 1}]\n- !d 1\n- ! 1\n- !e\n", indent: 0, tags: "drop" },
    '[[{"c":"1"}],"1","1",""]',
  ],
  [
    {
      data: "%TAG !x! tag:x,1:\n---\n- &r !a [!b {c: !!str 1}]\n- !x!d 1\n- ! 1\n- *r\n",
      tags: "keep",
      indent: 0,
    },
    '[{"!a":[{"!b":{"c":"1"}}]},{"tag:x,1:d":"1"},"1",{"!a":[{"!b":{"c":"1"}}]}]',
  ],
])("%j", async (input, result) => {
  expect(await runTool(yamlToJson, input)).toBe(result);
});

test.each([
  [{ data: "a: 1\n---\nb: 2" }, { code: "invalid_document" }],
  [{ data: "é: 1\né: 2" }, { code: "invalid_document", line: 2, column: 1, offset: 6 }],
  [{ data: "a:\n\t- b" }, { code: "invalid_document", line: 2 }],
  [
    { data: "on: 1", schema: "yaml-1.1" },
    { code: "invalid_document", offset: 0 },
  ],
  [
    { data: "a: !!str 1\nb: !Ref x" },
    { code: "invalid_document", line: 2, column: 9, message: expect.stringContaining("set tags to keep") },
  ],
  [
    { data: `a: &a !${"x".repeat(5000)} 1\nb: [${"*a,".repeat(2000)}]`, tags: "keep" },
    { code: "invalid_document", line: 2 },
  ],
  [{ data: "a: 1", schema: "json" }, { code: "invalid_input" }],
])("%j is refused", async (input, refusal) => {
  expect(await refusalOf(runTool(yamlToJson, input))).toMatchObject(refusal);
});

// The table of short and long forms in CloudFormation's reference of intrinsic functions.
test.each([
  ["!Ref A", '{"Ref":"A"}'],
  ["!Condition A", '{"Condition":"A"}'],
  ["!Sub '${A}'", '{"Fn::Sub":"${A}"}'],
  ["!GetAtt A.b", '{"Fn::GetAtt":["A","b"]}'],
  ["!GetAtt A.Outputs.b", '{"Fn::GetAtt":["A","Outputs.b"]}'],
  ["!GetAtt [A, b]", '{"Fn::GetAtt":["A","b"]}'],
  ["!Join [',', [!Ref A, x]]", '{"Fn::Join":[",",[{"Ref":"A"},"x"]]}'],
  ["!GetAZs ''", '{"Fn::GetAZs":""}'],
])("%s in the long form of CloudFormation is %s", async (data, result) => {
  expect(await runTool(yamlToJson, { data, tags: "cloudformation", indent: 0 })).toBe(result);
});

test("two merge keys are both merged, and the first wins", async () => {
  const data = "a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc:\n  <<: *a\n  <<: *b\n";
  expect(JSON.parse(await runTool(yamlToJson, { data }))).toMatchObject({ c: { x: 1, y: 1, z: 2 } });
});

test("a byte order mark is no indentation", async () => {
  const data = "\ufeffa: 1\nb:\n  c: 2\n";
  expect(await runTool(yamlToJson, { data, indent: 0 })).toBe('{"a":1,"b":{"c":2}}');
  expect(await runTool(yamlToJson, { data: "\ufeff%YAML 1.2\n---\n- a\n- b: 1\n  c: 2\n", indent: 0 })).toBe(
    '["a",{"b":1,"c":2}]',
  );
  expect(await refusalOf(runTool(yamlToJson, { data: "\ufeffa: [\n" }))).toMatchObject({ line: 2 });
  expect(await refusalOf(runTool(yamlToJson, { data: "\ufeffa: 1\na: 2\n" }))).toMatchObject({
    line: 2,
    column: 1,
  });
});
