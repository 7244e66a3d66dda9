import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import flattener from "../../../src/tools/json/json-flattener.ts";
import unflattener from "../../../src/tools/json/json-unflattener.ts";
import { atHand } from "../../support/at-hand.ts";
import { drawSeed } from "../../support/cases.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

const key = fc.constantFrom("a", "b1", "c-d", "e f", "if", "é", "ﬀ", "😀", "_", "$x", "1", 'q"', "");
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(null, true, 1, -2.5, "", "a", "é\n\t", 'q"\\'),
    fc.array(tie("value"), { maxLength: 12 }),
    fc.dictionary(key, tie("value"), { maxKeys: 6 }),
  ),
}));
const documents = fc.sample(value, { numRuns: 60, seed: drawSeed() });
const ask = (program: string, args: string[], input: string): string =>
  execFileSync(program, args, { input, encoding: "utf8" });

test.skipIf(!atHand("gron"))("the lines are those of gron, and gron -u reads them", async () => {
  for (const document of documents) {
    const data = JSON.stringify(document);
    const lines = await runTool(flattener, { data, sort: true });
    expect(`${lines}\n`, data).toBe(ask("gron", ["--monochrome"], data));
    expect(JSON.parse(ask("gron", ["-u"], lines)), data).toEqual(document);
    expect(JSON.parse(await runTool(unflattener, { data: lines })), data).toEqual(document);
  }
});

test.skipIf(!atHand("gron"))("a part of the lines makes what gron -u makes of it", async () => {
  for (const [at, document] of documents.entries()) {
    const lines = (await runTool(flattener, { data: JSON.stringify(document) })).split("\n");
    const part = lines.filter((_, line) => line === lines.length - 1 || (line + at) % 3 === 0).join("\n");
    const theirs: unknown = JSON.parse(ask("gron", ["-u"], part));
    expect(JSON.parse(await runTool(unflattener, { data: part })), part).toEqual(theirs);
  }
});

test.skipIf(!atHand("jq"))("pointers and dotted names are the paths of jq", async () => {
  const leaves = 'def leaf: (type != "object" and type != "array") or length == 0; ';
  const pointer =
    '[path(.. | select(leaf)) as $p | {("" + (([$p[] | "/" + (tostring | gsub("~"; "~0") | gsub("/"; "~1"))] | add) // "")): getpath($p)}] | add';
  const dotted =
    'if leaf then . else [path(.. | select(leaf)) as $p | {($p | map(tostring) | join(".")): getpath($p)}] | add end';
  for (const document of documents) {
    const data = JSON.stringify(document);
    const flat = await runTool(flattener, { data, style: "pointer" });
    expect(JSON.parse(flat), data).toEqual(JSON.parse(ask("jq", [leaves + pointer], data)));
    if (data.includes('"":')) continue;
    const names = await runTool(flattener, { data, style: "dotted" });
    expect(JSON.parse(names), data).toEqual(JSON.parse(ask("jq", [leaves + dotted], data)));
  }
});
