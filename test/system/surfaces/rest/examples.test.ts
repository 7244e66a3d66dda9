import { afterAll, beforeAll, expect, test } from "vitest";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import { tools } from "../../../../src/tools/index.ts";
import { openSurface, type Surface } from "../open-surface.ts";

// The same through the executable, with raw documents too, is in test/system/e2e/matrix.test.ts.
let app: Surface;
let key: string;
beforeAll(async () => {
  app = await openSurface({ deadlineMs: 60_000 });
  key = await app.key("team");
});
afterAll(() => app.close());

const all = (await createCatalog(tools).all()).map((tool) => [tool.slug, tool] as const);

test.each(all)("%s returns the results of its examples", async (slug, { examples }) => {
  for (const { input, result } of examples) {
    const authorization = `Bearer ${key}`;
    const response = await app.post(`/api/tools/${slug}`, JSON.stringify(input), { authorization });
    expect([response.status, await response.json()]).toMatchObject([200, { result }]);
  }
});
