import { afterAll, beforeAll, expect, test } from "vitest";
import { auditsOf, withPreflight } from "./audits.ts";
import { type GraphqlHarness, openGraphql } from "./open.ts";

let app: GraphqlHarness;
beforeAll(async () => {
  app = await openGraphql();
});
afterAll(() => app.close());

test("there are 61 audits", () => expect(auditsOf(app.url)).toHaveLength(61));

test("none of them fails, including recommendations", async () => {
  const found: string[] = [];
  for (const { id, name, fn } of auditsOf(`${app.url}/graphql`, withPreflight)) {
    const result = await fn();
    if (result.status !== "ok") found.push(`${id} ${name}: ${result.status}, ${result.reason}`);
  }
  expect(found).toEqual([]);
});
