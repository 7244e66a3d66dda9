import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { shownCategories } from "../../../../src/catalog/categories.ts";

const web = new URL("../../../../src/surfaces/web/", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, web), "utf8");
const symbols = [...read("page/icons.svg").matchAll(/<symbol id="i-([a-z]+)"/g)].map(([, name]) => name);

test("each category of tools has an icon", () => {
  for (const { id } of shownCategories) expect(symbols).toContain(id);
});

test("the server and the pages name only icons that exist", () => {
  const used = globSync("**/*.{ts,tsx}", { cwd: web.pathname }).flatMap((path) =>
    [...read(path).matchAll(/(?:\bicon(?:: |\(|=)|<Icon name=)"([a-z]+)"/g)].map(([, name]) => name),
  );
  expect(used.length).toBeGreaterThan(10);
  for (const name of used) expect(symbols).toContain(name);
});
