import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { compareLists, selectItems } from "../../lib/text/compare-lists.ts";
import { toListReport, writeCounts, writeItems } from "../list-items.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "list-comparer",
  title: "List comparer",
  summary: "Compare two lists in any order: what only one of them has, what both have, and how often.",
  page: {
    tile: "Only here, only there, in both",
    layout: "compare",
    view: "table",
    options: ["show", "ignoreCase", "repeated"],
    second: "other",
    labels: {
      data: "First list",
      other: "Second list",
      "show=all": "All, with counts",
      "show=first": "Only in the first",
      "show=second": "Only in the second",
      "show=both": "In both",
      "show=either": "In either",
      "show=different": "In one of them",
      repeated: "Count repeated items",
    },
  },
  accepts: "lines",
  aliases:
    "comm, comm -12, comm -23, comm -13, compare lists, compare two lists, list compare, list diff, intersection, union, set difference, symmetric difference, common lines, missing items, items in one list but not the other, grep -vxff",
  input: z.object({
    data: z.string().describe("The first list, one item a line"),
    other: z.string().max(67_108_864).describe("The second list"),
    show: z
      .enum(["all", "first", "second", "both", "either", "different"])
      .default("all")
      .describe(
        "Items to return: all with their counts as JSON, or as lines those that are only in the first list, only in the second, in both, in either, or in one of them alone",
      ),
    separator: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe("Text between items; by default each line is an item"),
    ignoreCase: z.boolean().default(false).describe("Ignore the case of letters"),
    trim: z.boolean().default(true).describe("Ignore white space around items"),
    repeated: z
      .boolean()
      .default(false)
      .describe("Count repeated items, as comm does: three in one list and one in the other are two more"),
    sort: z
      .boolean()
      .default(false)
      .describe("Sort the items by Unicode code point; by default they keep their order"),
  }),
  whenOff: { trim: "Items with different white space differ" },
  isolate: "process",
  examples: [
    {
      input: { data: "pear\napple\nfig\napple\n", other: "fig\nkiwi\napple\n" },
      result:
        '[\n  {\n    "item": "pear",\n    "in": "first",\n    "first": 1,\n    "second": 0\n  },\n  {\n    "item": "apple",\n    "in": "both",\n    "first": 2,\n    "second": 1\n  },\n  {\n    "item": "fig",\n    "in": "both",\n    "first": 1,\n    "second": 1\n  },\n  {\n    "item": "kiwi",\n    "in": "second",\n    "first": 0,\n    "second": 1\n  }\n]',
    },
    {
      title: "Hosts that are deployed but not in the inventory",
      input: { data: "web-1\nweb-2\ndb-1\n", other: "db-1\nweb-1\n", show: "first" },
      result: "web-2",
    },
    {
      title: "What two lists of addresses have in common, whatever the case",
      input: {
        data: "Ann@example.com;bob@example.com",
        other: "ann@example.com;cy@example.com",
        show: "both",
        separator: ";",
        ignoreCase: true,
      },
      result: "Ann@example.com",
    },
    {
      title: "Repeated items, as comm counts them",
      input: { data: "a\na\na\nb", other: "a\nb\nb", show: "different", repeated: true },
      result: "a\na\nb",
    },
  ],
  check: "difference",
  run({ data, other, show, repeated, sort, ...options }) {
    const items = refusing(data, () => compareLists(data, other, options));
    return show === "all" ? writeCounts(items, sort) : writeItems(selectItems(items, show, repeated), sort);
  },
  report({ data, other, repeated, ...options }) {
    const items = refusing(data, () => compareLists(data, other, options));
    return toListReport(data, items, repeated);
  },
});
