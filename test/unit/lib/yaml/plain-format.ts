import type { YamlFormat } from "../../../../src/lib/yaml/format.ts";

/** A format that leaves quotes and the order of keys as they are. */
export const plain: YamlFormat = {
  indent: 2,
  lineWidth: 0,
  bracketSpacing: false,
  quotes: "preserve",
  sequences: "indented",
  blankLines: 1,
  sortKeys: false,
};
