import { expect, test } from "vitest";
import { packWithCaches } from "../../../config/build/code-cache.ts";

test("the same scripts give the same code caches in every process", () => {
  const scripts = {
    one: "(function (exports) {exports.a = () => 'a text'; class B { c() { return 1; } }\n})",
    "two/three": "(function (exports) {exports.d = async (e) => await e;\n})",
  };
  const [first, again] = [packWithCaches(scripts), packWithCaches(scripts)];
  expect(Buffer.compare(first, again)).toBe(0);
  expect(Buffer.from(first).toString("latin1", 0, 200)).toMatch(/^\none \d{9} \d{9} \d{9}\ntwo\/three /);
});
