import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import type { Definition } from "../../../../src/surfaces/web/page/tools/definition.ts";
import type { ToolState } from "../../../../src/surfaces/web/page/tools/state.ts";
import {
  maxLinked,
  readLink,
  readLinkedDocument,
  toLink,
  toLinkWithDocuments,
} from "../../../../src/surfaces/web/page/tools/link.ts";

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
      other: { type: "string", maxLength: 10_000_000 },
      patch: { anyOf: [{ type: "string" }, { type: "object" }] },
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

test.each(["a b+c&d=e#f%20", "<img src=x onerror=alert(1)>", "שלום \u{1f600}\r\n\0"])(
  "a link carries the document %j in the fragment, and no secret",
  (text) => {
    const link = toLinkWithDocuments(stateOf({ indent: 4, secret: "hunter2" }), root, text);
    expect(link?.href).toMatch(/^http:\/\/127\.0\.0\.1\/pen\/tools\/x\?indent=4#data=/);
    expect(link?.href).not.toContain("hunter2");
    expect(readLinkedDocument(link as URL)).toBe(text);
    expect(readLink(link as URL, definition)).toEqual({ options: { indent: 4 }, check: false });
  },
);

test("an option that may be a document is in the fragment alone, and only with the input", () => {
  const options = { indent: 4, other: "DB_PASSWORD=hunter2", patch: { a: [1] }, paths: ["$.x", "a&b"] };
  const state = stateOf(options);
  expect(toLink(state, root).href).toBe("http://127.0.0.1/pen/tools/x?indent=4");
  for (const text of ["", "A=1"]) {
    const link = toLinkWithDocuments(state, root, text) as URL;
    expect(link.search).toBe("?indent=4");
    expect(readLinkedDocument(link) ?? "").toBe(text);
    expect(readLink(link, definition).options).toEqual({ ...options, patch: '{"a":[1]}' });
  }
});

test("an option of the fragment counts instead of the one of the query, and a secret of neither", () => {
  const link = new URL("http://127.0.0.1/tools/x?other=a&indent=1#other=b&secret=c&unknown=d&data=e");
  expect(readLink(link, definition).options).toEqual({ indent: 1, other: "b" });
});

test("there is no link with more documents than one carries, nor with none", () => {
  expect(toLinkWithDocuments(stateOf({ indent: 4 }), root, "")).toBeUndefined();
  expect(toLinkWithDocuments(stateOf({}), root, "x".repeat(maxLinked))).toBeDefined();
  expect(toLinkWithDocuments(stateOf({ other: "y" }), root, "x".repeat(maxLinked))).toBeUndefined();
  for (const hash of ["", "#", "#main", "#data"])
    expect(readLinkedDocument(new URL(hash, root)) ?? "").toBe("");
});

test("a link states the time zone and other values with which a page would begin otherwise", () => {
  const zoned = {
    ...definition,
    slug: "x",
    page: { zones: ["zone"], start: { clock: "24h" } },
    input: {
      properties: {
        zone: { type: "string", maxLength: 100, default: "UTC" },
        clock: { type: "string", enum: ["12h", "24h"], default: "12h" },
      },
    },
  };
  const link = (options: object): string =>
    toLink({ ...stateOf(options), definition: zoned as unknown as Definition }, root).search;
  expect(link({ clock: "24h", zone: "Asia/Tokyo" })).toBe("?zone=Asia%2FTokyo");
  expect(link({ clock: "24h" })).toBe("?zone=UTC");
  expect(link({})).toBe("?clock=12h&zone=UTC");
});
