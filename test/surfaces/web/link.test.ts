import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import type { Definition } from "../../../src/surfaces/web/page/tools/definition.ts";
import type { ToolState } from "../../../src/surfaces/web/page/tools/state.ts";
import {
  longestLinked,
  readLink,
  readLinkedDocument,
  toLinkWithDocument,
} from "../../../src/surfaces/web/page/tools/link.ts";

const definition = {
  checkable: true,
  input: {
    properties: {
      data: { type: "string" },
      indent: { type: "integer" },
      ratio: { type: "number" },
      sort: { type: "boolean" },
      dialect: { type: "string", enum: ["json", "jsonc"] },
      paths: { type: "array", items: { type: "string" } },
      kinds: { type: "array", items: { type: "string", enum: ["a", "b"] } },
      secret: { type: "string" },
    },
  },
} as unknown as Definition;

test.each<[string, object, boolean?]>([
  ["?indent=4&sort=true&dialect=jsonc&ratio=0.5", { indent: 4, sort: true, dialect: "jsonc", ratio: 0.5 }],
  ["?paths=a&paths=%3Cimg%3E&kinds=b", { paths: ["a", "<img>"], kinds: ["b"] }],
  ["?check=true&indent=0", { indent: 0 }, true],
  ["?data=x&secret=hunter2&unknown=1&__proto__=1&constructor=1", {}],
  ["?indent=1.5&sort=yes&dialect=xml&kinds=c&ratio=1e9", {}],
  ["?indent=1&indent=2", {}],
  [`?paths=${"x".repeat(9000)}`, {}],
])("%s", (search, options, check = false) => {
  expect(readLink(new URL(`http://127.0.0.1/tools/x${search}`), definition)).toEqual({ options, check });
});

const root = new URL("http://127.0.0.1/pen/");
const stateOf = (options: object): ToolState =>
  ({ definition: { ...definition, slug: "x" }, options: signal(options), check: signal(false) }) as ToolState;

test.each(["", "a b+c&d=e#f%20", "<img src=x onerror=alert(1)>", "שלום \u{1f600}\r\n\0"])(
  "a link carries the document %j in the fragment, and no secret",
  (text) => {
    const link = toLinkWithDocument(stateOf({ indent: 4, secret: "hunter2" }), root, text);
    expect(link.href).toMatch(/^http:\/\/127\.0\.0\.1\/pen\/tools\/x\?indent=4#data=/);
    expect(link.href).not.toContain("hunter2");
    expect(readLinkedDocument(link)).toBe(text);
    expect(readLink(link, definition)).toEqual({ options: { indent: 4 }, check: false });
  },
);

test("a longer document than a link carries is cut, and a link without one gives none", () => {
  const link = toLinkWithDocument(stateOf({}), root, "x".repeat(longestLinked + 1));
  expect(readLinkedDocument(link)).toHaveLength(longestLinked);
  for (const hash of ["", "#", "#main", "#data"])
    expect(readLinkedDocument(new URL(hash, root)) ?? "").toBe("");
});
