/** Queries that produce large results from small documents, one set per language of json-query. */
export const queryBombs: readonly {
  name: string;
  input: { data: string; query: string; language: string };
}[] = [
  {
    // V8 aborts the process when a two-byte string reaches 2^27 characters.
    name: "JMESPath joins a string with itself, 400 times, three times over",
    input: {
      data: '"一一一一"',
      query: Array.from(
        { length: 3 },
        () => `join('',[${Array.from({ length: 400 }, () => "@").join(",")}])`,
      ).join("|"),
      language: "jmespath",
    },
  },
  {
    name: "JMESPath doubles a list 26 times",
    input: {
      data: '["一"]',
      query: Array.from({ length: 26 }, () => "[@,@]").join("|"),
      language: "jmespath",
    },
  },
  {
    name: "JMESPath flattens what it doubles",
    input: {
      data: "[1,2]",
      query: Array.from({ length: 26 }, () => "[@,@][]").join("|"),
      language: "jmespath",
    },
  },
  {
    name: "JSONata joins a string with itself",
    input: {
      data: '"一"',
      query: "($f := function($s, $n) { $n = 0 ? $s : $f($s & $s, $n - 1) }; $f($, 30))",
      language: "jsonata",
    },
  },
  {
    name: "JSONata replaces each character by the whole",
    input: {
      data: `"${"一".repeat(2000)}"`,
      query: '$replace($replace($, "一", $), "一", $)',
      language: "jsonata",
    },
  },
  {
    name: "JSONata writes a shared value as text",
    input: {
      data: '["一一一一"]',
      query: "$string([1..30] ~> $reduce(function($a, $i) { [$a, $a] }, $))",
      language: "jsonata",
    },
  },
  {
    name: "JSONata pads to 2^29",
    input: { data: '"x"', query: '$pad($, 536870000, "一")', language: "jsonata" },
  },
  {
    name: "JSONata counts to ten million, and squares it",
    input: { data: "1", query: "$sum([1..10000000].([1..10000000]))", language: "jsonata" },
  },
  {
    name: "JSONPath with descendants of descendants",
    input: {
      data: `${"[".repeat(400)}1${"]".repeat(400)}`,
      query: `$${"..*".repeat(12)}`,
      language: "jsonpath",
    },
  },
];

/** Small documents whose result is large. */
export const formatWorst: readonly { name: string; slug: string; input: object; times: number }[] = [
  { name: "9,990 open brackets", slug: "json-formatter", input: { data: "[".repeat(9990) }, times: 90 },
  {
    name: "2,100 brackets indented by ten",
    slug: "json-formatter",
    // Each answer is 44 MB, so a few are enough.
    input: { data: "[".repeat(2100) + "]".repeat(2100), indent: 10 },
    times: 15,
  },
];

const versions = Array.from({ length: 6340 }, (_, index) => `1.${index % 100}.${index}`).join("\n");

/** Bodies of at most 64 KiB that are expensive on the event loop. */
export const wideInputs: readonly { name: string; slug: string; input: object }[] = [
  {
    name: "6,340 versions against a range of 2,730 parts",
    slug: "semver-comparer",
    input: { data: versions, op: "satisfies", range: Array.from({ length: 2047 }, () => "<0").join("||") },
  },
  {
    name: "17 KB of ranges of addresses",
    slug: "ip-range-to-cidr",
    input: {
      data: Array.from({ length: 800 }, (_, index) => `1.0.${index % 256}.1-9.9.${index % 256}.6`).join("\n"),
    },
  },
  {
    name: "a cron expression that never matches",
    slug: "cron-parser",
    input: { data: "59 59 23 30 2 ? 2099", dialect: "quartz" },
  },
  {
    name: "a file of variables that expand",
    slug: "env-validator",
    input: { data: Array.from({ length: 4000 }, (_, index) => `A${index}=\${A${index - 1}}`).join("\n") },
  },
];

/**
 * Documents of a few megabytes: two-byte text, deeply nested, wide, one line, many lines. `make test` sends the deepest and
 * the one that takes the most memory, `make test-long` all.
 */
export const rawDocuments: readonly { name: string; long?: true; document(): Buffer }[] = [
  { name: "deep brackets", document: () => Buffer.from("[".repeat(4_000_000)) },
  { name: "deep mappings", long: true, document: () => Buffer.from('{"一":'.repeat(600_000)) },
  { name: "deep elements", long: true, document: () => Buffer.from("<a>".repeat(1_000_000)) },
  {
    name: "a wide mapping",
    long: true,
    document: () =>
      Buffer.from(`{${Array.from({ length: 400_000 }, (_, index) => `"k${index}":${index}`).join(",")}}`),
  },
  { name: "many lines", long: true, document: () => Buffer.from("a: 1\n".repeat(1_500_000)) },
  { name: "one line of two-byte text", document: () => Buffer.from("一,".repeat(1_000_000)) },
  { name: "twice that line", long: true, document: () => Buffer.from("一,".repeat(2_000_000)) },
  { name: "many quotes", long: true, document: () => Buffer.from(`"'`.repeat(3_000_000)) },
];
