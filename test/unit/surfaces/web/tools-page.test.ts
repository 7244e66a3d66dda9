import { expect, test } from "vitest";
import { shownCategories } from "../../../../src/catalog/categories.ts";
import { createCatalog } from "../../../../src/catalog/catalog.ts";
import { toToolsPage } from "../../../../src/surfaces/web/tools-page.ts";
import { tools } from "../../../../src/tools/index.ts";

const all = await createCatalog(tools).all();
const { html } = toToolsPage(all, "./", () => true);

test.each(
  shownCategories
    .filter(({ first }) => first !== undefined)
    .map(({ id, first = [] }) => [id, first] as const),
)(
  "the page of tools lists the category %s from what most people come for, and each of its tools once",
  (id, first) => {
    const group = html.slice(html.indexOf(`<section class="group" id="${id}"`)).split("</section>")[0] ?? "";
    const listed = Array.from(group.matchAll(/data-slug="([^"]+)"/g), ([, slug]) => slug);
    const members = all.filter(({ category }) => category === id).map(({ slug }) => slug);
    expect(listed.slice(0, first.length)).toEqual(first);
    expect(listed.slice(first.length)).toEqual(members.filter((slug) => !first.includes(slug)));
  },
);
