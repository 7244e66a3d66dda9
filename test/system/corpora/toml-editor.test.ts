import { expect, test } from "vitest";
import tool from "../../../src/tools/data/toml-editor.ts";
import converter from "../../../src/tools/data/toml-to-json.ts";
import patcher from "../../../src/tools/json/json-patcher.ts";
import { atHand, casesOf, readCorpus } from "../../unit/corpora/corpus.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

const edit = (data: string, edits: string[]): Promise<string> => runTool(tool, { data, edits });

/** The scalars of a value, as edits and as pointers. */
function leavesOf(one: unknown, path = "", pointer = ""): { path: string; pointer: string }[] {
  if (typeof one !== "object" || one === null) return path === "" ? [] : [{ path, pointer }];
  return Object.entries(one).flatMap(([key, item]) => {
    const token = key.replaceAll("~", "~0").replaceAll("/", "~1");
    return leavesOf(
      item,
      `${path}${Array.isArray(one) ? `[${key}]` : `[${JSON.stringify(key)}]`}`,
      `${pointer}/${token}`,
    );
  });
}

const rows = atHand ? readCorpus("toml-test").filter(({ slug }) => slug === "toml-to-json") : [];
const toJson = (data: string): Promise<string> => runTool(converter, { data });

test.runIf(atHand)(
  `every value in ${casesOf("toml-test")} can be set and removed, or is refused`,
  async () => {
    let done = 0;
    let refused = 0;
    for (const { case: name, input } of rows) {
      const data = input["data"];
      if (typeof data !== "string") continue;
      const json = await toJson(data).catch(() => undefined);
      if (json === undefined) continue;
      for (const { path, pointer } of leavesOf(JSON.parse(json)).slice(0, 8)) {
        for (const line of [`${path}=zz9`, `-${path}`]) {
          const result = await edit(data, [line]).catch(() => undefined);
          if (result === undefined) {
            refused++;
            continue;
          }
          done++;
          const patch = JSON.stringify([
            line.startsWith("-")
              ? { op: "remove", path: pointer }
              : { op: "replace", path: pointer, value: "zz9" },
          ]);
          const patched: unknown = JSON.parse(await runTool(patcher, { data: json, patch }));
          // Without its pairs a table of dotted keys is gone.
          const after: unknown = JSON.parse(await toJson(result));
          expect(after, `${name} ${line}`).toEqual(patched);
        }
      }
    }
    expect(done).toBeGreaterThan(400);
    expect(refused / done).toBeLessThan(0.15);
  },
);
