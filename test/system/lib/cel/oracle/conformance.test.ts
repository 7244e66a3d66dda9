import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";
import { expect, test } from "vitest";
import { openEngine } from "../../../../../src/lib/cel/engine.ts";
import { expected, flatten, isCovered, outcomeOf } from "./conformance-cases.ts";

/** Cases with another outcome here, each with the reason. */
const different: Readonly<Record<string, readonly string[]>> = {
  "Names and functions that do not exist are errors of the policy, also where an evaluation would not reach them":
    [
      "basic/variables/unbound_is_runtime_error",
      "basic/functions/unbound_is_runtime_error",
      ...[
        "as break const continue else for function if import let loop package namespace return var void while",
      ].flatMap((names) => names.split(" ").map((name) => `parse/receiver_function_names/${name}`)),
    ],
  "The library's parser does not know names in backquotes": [
    "field_access_slash",
    "field_access_dash",
    "field_access_dot",
    "has_field_slash",
    "has_field_dash",
    "has_field_dot",
  ].map((name) => `fields/quoted_map_fields/${name}`),
  "The library keeps the first of two keys of one value and different types": [
    "fields/qualified_identifier_resolution/map_value_repeat_key_heterogeneous",
  ],
};

// https://github.com/google/cel-spec, in the form in which @bufbuild/cel-spec has it.
test("the conformance tests without bindings, Protocol Buffers and extensions pass, but for those that are listed", async () => {
  const engine = await openEngine();
  const chosen = flatten(tests).filter(isCovered);
  const failed = chosen.filter((one) => outcomeOf(engine, one.expr) !== expected(one)).map(({ id }) => id);
  expect(failed.toSorted()).toEqual(Object.values(different).flat().toSorted());
  expect(chosen).toHaveLength(1047);
});

test("the functions of strings pass theirs", async () => {
  const engine = await openEngine();
  const chosen = flatten(tests).filter(
    ({ id, expr, bindings }) =>
      id.startsWith("string_ext/") && bindings === undefined && !expr.includes("TestAllTypes"),
  );
  expect(chosen.filter((one) => outcomeOf(engine, one.expr) !== expected(one))).toEqual([]);
  expect(chosen.length).toBeGreaterThan(180);
});
