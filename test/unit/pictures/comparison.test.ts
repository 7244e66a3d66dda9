import { expect, it } from "vitest";
import { outline, toComparison } from "../../pictures/comparison.ts";

const picture = (...shapes: string[]): string =>
  ['<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">', ...shapes, "</svg>\n"].join("\n");
const box = '<rect x="10" y="20" width="30" height="40" fill="red"/>';
const text = '<text x="5" y="50" font-size="16" textLength="80">Copy</text>';

it("frames each shape that the other picture has not", () => {
  const framed = outline(picture(box, text), picture(box));
  expect(framed.match(/stroke="#e000e0"/g)).toHaveLength(1);
  expect(framed).toContain('<rect x="3" y="32" width="84" height="24"');
  expect(outline(picture(box), picture(box))).not.toContain("#e000e0");
});

it("shows the pictures that differ and those that are new, and leaves out the others", () => {
  const page = toComparison("abc", [
    { name: "same", before: picture(box), now: picture(box) },
    { name: "moved", before: picture(box), now: picture(text) },
    { name: "new", before: undefined, now: picture(box) },
  ]);
  expect([...page.matchAll(/<h2>(.*)<\/h2>/g)].map(([, name]) => name)).toEqual(["moved", "new"]);
  expect(page).toContain("2 of 3 pictures differ from abc");
  expect(page).toContain("This page is new.");
});
