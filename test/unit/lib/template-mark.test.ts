import { expect, test } from "vitest";
import { findTemplateMark } from "../../../src/lib/template/recognize.ts";
import { startCost } from "../../cost/start-cost.ts";

test.each([
  ["a: {{ .x }}\n", 3, "a Go template"],
  ["a: 1\n  {{- if .x }}\n", 7, "a Go template"],
  ["- {{ range .x }}\n", 2, "a Go template"],
  ["- - {{/* x */}}\n", 4, "a Go template"],
  ['a: "{{ default "b" .c }}"\n', 4, "a Go template"],
  ["a: '{{ x['b'] }}'\n", 4, "a template"],
  ["{% for x in y %}\n", 0, "a Jinja template"],
  ["a: {{ x }}\n{%- endif %}\n", 11, "a Jinja template"],
  ["<%= x %>\n", 0, "an ERB template"],
  ["{{#a}}\n", 0, "a Mustache template"],
  ['{ "a": [1, {{ x }}] }', 11, "a template"],
  // The block scalar ends where a line is not deeper than its header.
  ["a: |\n  {{ .x }}\n{{ .y }}: 1\n", 16, "a Go template"],
])("finds the first mark in the structure: %j", (text, index, language) => {
  expect(findTemplateMark(text)).toEqual({ index, language });
});

test.each([
  "a: b {{ .x }}\n",
  "a: ${{ x }}\n",
  "${{ if x }}:\n",
  'a: "{{ x }}"\n',
  "a: '{% x %}'\n",
  'a: "{{ f \\"x\\" }}"\n',
  "a: 1 # {{ .x }}\n",
  "a: >-\n  {{ .x }}\n\n  {% y %}\nb: 1\n",
  "- |\n  {{ .x }}\n",
  "a: { b: { c: 1 } }\n",
  "a < b % c\n",
])("finds none in %j", (text) => {
  expect(findTemplateMark(text)).toBeUndefined();
});

test("finds a mark between words of SQL", () => {
  const text = "select * from {{ ref('x') }} where a < 1";
  expect(findTemplateMark(text)).toBeUndefined();
  expect(findTemplateMark(text, true)).toEqual({ index: 14, language: "a template" });
});

test.each([
  ["marks that are never closed", "a{{"],
  ["marks in quotes", '"{{ x'],
  ["marks in words", "a{{x}} "],
  ["quotation marks", "\" '"],
  ["lines", "a: b {{ x }}\n"],
])("takes time by the length of the text: %s", (_, unit) => {
  const of = (size: number) => unit.repeat(Math.ceil(size / unit.length));
  const measure = (size: number): number => {
    const text = of(size);
    const cost = startCost();
    for (let round = 0; round < 3; round++) findTemplateMark(text);
    return cost();
  };
  measure(10_000);
  expect(measure(800_000)).toBeLessThan(Math.max(40, measure(100_000) * 40));
});
