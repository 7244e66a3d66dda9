import { expect, test } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { tools } from "../../../src/tools/index.ts";
import { isChosen } from "../../support/cases.ts";
import { runSteps } from "../tools/detected-steps.ts";

const all = (await createCatalog(tools).all()).filter(({ slug }) => isChosen(slug));
let count = 0;

test.each(all.map(({ slug, examples }) => [slug, examples] as const))(
  "every step that is offered for the documents in the examples of %s runs",
  async (slug, examples) => {
    const documents = examples.flatMap(({ input: { data } }) =>
      typeof data === "string" ? [[slug, data] as const] : [],
    );
    const { refused, steps } = await runSteps(documents);
    expect(refused).toEqual([]);
    count += steps;
  },
);

test("steps were offered", () => {
  expect(count).toBeGreaterThan(all.length > 1 ? 900 : -1);
});
