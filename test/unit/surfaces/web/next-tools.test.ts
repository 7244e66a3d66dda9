import { expect, test } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import type { Report } from "../../../../src/catalog/report.ts";
import { toDefinition } from "../../../../src/surfaces/web/tool-page.ts";
import { tools } from "../../../../src/tools/index.ts";
import { runTool } from "../../tools/run-tool.ts";

const catalog = createCatalog(tools);
const steps = (await catalog.all()).flatMap((tool) =>
  (tool.page?.next ?? []).map((next) => ({ from: tool, to: next.slug, next })),
);

test.each(steps.map((one) => [one.from.slug, one.to, one] as const))(
  "what %s finds valid is taken by %s, which its page offers",
  async (_, to, { from, next: { keeps = [] } }) => {
    const tool = await catalog.get(to);
    const [example] = tool.examples;
    // A query, for example, is what the person types next.
    const required = Object.entries(tool.input.shape).filter(
      ([, field]) => !field.safeParse(undefined).success,
    );
    const typed = Object.fromEntries(required.map(([name]) => [name, example?.input[name]]));
    let valid = 0;
    for (const { input, result } of from.examples) {
      const { valid: isValid, errors } = JSON.parse(result) as Report;
      if (!isValid || errors.length > 0) continue;
      valid++;
      const kept = Object.fromEntries(Object.entries(input).filter(([name]) => keeps.includes(name)));
      await expect(runTool(tool, { ...typed, ...kept, data: input["data"] })).resolves.toBeTypeOf("string");
    }
    expect(valid).toBeGreaterThan(0);
  },
);

test("a tool that the operator has disabled is offered by no page", async () => {
  const validator = await catalog.get("yaml-validator");
  const has = (slug: string): boolean => slug !== "yaml-formatter";
  const { page } = toDefinition(validator, { catalog: { has }, anonymous: true, runsInTab: () => true });
  expect(page?.next?.map(({ slug }) => slug)).toEqual(["yaml-to-json"]);
});
