import { expect, test } from "vitest";
import type { Definition } from "../../../src/surfaces/web/page/tools/definition.ts";
import { readLink } from "../../../src/surfaces/web/page/tools/link.ts";

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
