import { expect, test } from "vitest";
import tool from "../../../src/tools/regex/regex-tester.ts";
import { startCost } from "../../cost/start-cost.ts";
import { cases } from "../../support/cases.ts";
import { atHand, casesOf, readCorpus } from "../../unit/corpora/corpus.ts";
import { refusalOf, runTool } from "../../unit/tools/run-tool.ts";

test.skipIf(!atHand)(
  `dangerous expressions: re2 answers or refuses in bounded time (${casesOf("redos")})`,
  async () => {
    for (const { input } of cases(readCorpus("redos"))) {
      const cost = startCost();
      await runTool(tool, { ...input, engine: "re2" }).catch((error: { code?: string }) => {
        if (error.code !== "invalid_input") throw error;
      });
      expect(cost()).toBeLessThan(300);
    }
  },
  120_000,
);

test.skipIf(!atHand)(
  `everyday expressions: js finds what V8 finds (${casesOf("redos")})`,
  async () => {
    for (const { case: name, input, expect: wanted } of readCorpus("redos")) {
      // These run for ever; the tests of the worker pool have one.
      if (wanted["either"] === true) continue;
      const call = runTool(tool, { ...input, engine: "js" });
      if (wanted["error"] === true) expect((await refusalOf(call)).code, name).toBe("invalid_input");
      else {
        const { matches } = JSON.parse(await call) as { matches: { match: string; index: number }[] };
        expect(
          matches.map(({ match, index }) => ({ match, index })),
          name,
        ).toEqual(wanted["matches"]);
      }
    }
  },
  120_000,
);
