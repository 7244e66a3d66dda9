import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import tool from "../../../src/tools/data/xml-query.ts";
import { atHand } from "../../support/at-hand.ts";
import { drawSeed } from "../../support/cases.ts";
import { runTool } from "../../unit/tools/run-tool.ts";
import { drawQueries } from "./xpath-queries.ts";

test.skipIf(!atHand("xmllint"))("expressions of XPath 1.0 have the value that libxml2 gives", async () => {
  const values = new Set<string>();
  for (const [data, query] of drawQueries(500, drawSeed())) {
    // xmllint knows no prefixes of the document, and makes nodes of CDATA sections unless asked not to.
    const known = query.replaceAll("x:a", "*[name()='x:a']").replaceAll("@x:i", "@*[name()='x:i']");
    const answer = spawnSync("xmllint", ["--nocdata", "--xpath", known, "-"], {
      input: data,
      encoding: "utf8",
    });
    expect(answer.status, `${query} in ${data}: ${answer.stderr}`).toBe(0);
    const ours = await runTool(tool, { data, query, output: "raw" });
    expect(ours, `${query} in ${data}`).toBe(answer.stdout.replace(/\n$/, ""));
    values.add(ours);
  }
  expect(values.size).toBeGreaterThan(12);
});
