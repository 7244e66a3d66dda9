import { expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { tools } from "../../../src/tools/index.ts";
import { propertyRuns } from "../../support/cases.ts";
import { inlineBytes, mostTimes } from "../../cost/measure.ts";
import { searchRows } from "../../cost/rows.ts";

test(
  `a body of ${inlineBytes / 1024} KiB costs a tool on the event loop at most ${mostTimes} times what it costs json-formatter`,
  { timeout: 600_000 },
  async () => {
    const rows = await searchRows("--bounds", "--budget", String(propertyRuns(5)));
    const inline = (await createCatalog(tools).all()).filter(({ isolate }) => !isolate);
    expect(rows.map(({ tool }) => tool)).toEqual(inline.map(({ slug }) => slug));
    expect(rows.filter(({ tooMuch }) => tooMuch)).toEqual([]);
  },
);
