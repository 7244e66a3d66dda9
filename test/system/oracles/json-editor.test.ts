import { execFileSync } from "node:child_process";
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import tomlEditor from "../../../src/tools/data/toml-editor.ts";
import tomlToJson from "../../../src/tools/data/toml-to-json.ts";
import yamlEditor from "../../../src/tools/data/yaml-editor.ts";
import yamlToJson from "../../../src/tools/data/yaml-to-json.ts";
import jsonEditor from "../../../src/tools/json/json-editor.ts";
import jsonFormatter from "../../../src/tools/json/json-formatter.ts";
import toToml from "../../../src/tools/data/json-to-toml.ts";
import toYaml from "../../../src/tools/data/json-to-yaml.ts";
import { atHand } from "../../support/at-hand.ts";
import { drawSeed } from "../../support/cases.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

const key = fc.constantFrom("a", "b", "c_d", "e f");
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(true, 1, -2.5, "", "x", "two\nlines", "é"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
  ),
}));
const documents = fc.sample(fc.dictionary(key, value, { minKeys: 1, maxKeys: 4 }), {
  numRuns: 40,
  seed: drawSeed(),
});

/** Edits, and the filters of jq that do the same. */
const edits = [
  ["a=7", ".a = 7"],
  ['"e f".new.deep="x y"', '.["e f"].new.deep = "x y"'],
  ["b[]+=7", ".b += [7]"],
  ["-a", "del(.a)"],
  ["-b[0]", "del(.b[0])"],
  ['c_d={"k":[1,{"l":"m"}]}', '.c_d = {"k":[1,{"l":"m"}]}'],
  ["b[].a=1", ".b[].a = 1"],
] as const;

const ask = (program: string, filter: string, input: string): unknown => {
  try {
    return JSON.parse(
      execFileSync(program, ["-c", filter], { input, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] }),
    );
  } catch {
    return undefined;
  }
};

/** Where one of the two refuses an edit, nothing is compared. */
test.skipIf(!atHand("jq") || !atHand("yq") || !atHand("tomlq")).each([
  ["JSON", "jq", jsonFormatter, jsonEditor, jsonFormatter],
  ["YAML", "yq", toYaml, yamlEditor, yamlToJson],
  ["TOML", "tomlq", toToml, tomlEditor, tomlToJson],
] as const)("edits of %s give the value that %s gives", async (_, program, write, editor, read) => {
  let count = 0;
  for (const [at, document] of documents.entries()) {
    const [line, filter] = edits[at % edits.length] as (typeof edits)[number];
    const data = await runTool(write, { data: JSON.stringify(document) });
    const result = await runTool(editor, { data, edits: [line] }).catch(() => undefined);
    if (result === undefined) continue;
    const theirs = ask(program, filter, data);
    if (theirs === undefined) continue;
    // The library of tomlq drops items of lists in lists.
    if (!isDeepStrictEqual(ask(program, ".", data), JSON.parse(JSON.stringify(document)))) continue;
    expect(JSON.parse(await runTool(read, { data: result })), `${data}\n${line}`).toEqual(theirs);
    count++;
  }
  expect(count).toBeGreaterThan(5);
});
