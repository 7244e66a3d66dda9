import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import toYaml from "../../../src/tools/data/json-to-yaml.ts";
import toJson from "../../../src/tools/data/yaml-to-json.ts";
import jsonMerger from "../../../src/tools/diff/json-merger.ts";
import yamlMerger from "../../../src/tools/diff/yaml-merger.ts";
import { atHand } from "../../support/at-hand.ts";
import { drawSeed } from "../../support/cases.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

const key = fc.constantFrom("a", "b", "c");
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(null, true, 1, "x"),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
  ),
}));
const object = fc.dictionary(key, value, { maxKeys: 3 });
const triples = fc.sample(fc.tuple(object, object, object), { numRuns: 40, seed: drawSeed() });
const ask = (program: string, args: string[], input: string): unknown =>
  JSON.parse(execFileSync(program, args, { input, encoding: "utf8" }));

test.skipIf(!atHand("jq"))("three documents give what the operator * of jq gives", async () => {
  for (const triple of triples) {
    const [data = "", other, third] = triple.map((one) => JSON.stringify(one));
    const merged = await runTool(jsonMerger, { data, other, others: [third], null: "keep" });
    expect(JSON.parse(merged), data).toEqual(
      ask("jq", ["-s", ".[0] * .[1] * .[2]"], `${data}${other}${third}`),
    );
  }
});

test.skipIf(!atHand("yq"))("two documents of YAML give what the operator * of yq gives", async () => {
  for (const [one, two] of triples) {
    const [data, other] = await Promise.all(
      [one, two].map((given) => runTool(toYaml, { data: JSON.stringify(given) })),
    );
    const merged = await runTool(yamlMerger, { data, other, null: "keep" });
    const theirs = ask("yq", ["-s", ".[0] * .[1]"], `${data}---\n${other}`);
    expect(JSON.parse(await runTool(toJson, { data: merged })), `${data}---\n${other}`).toEqual(theirs);
  }
});
