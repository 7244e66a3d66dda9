import { grow } from "./growth.ts";

export interface LanguageInput {
  name: string;
  slug: string;
  input(): Record<string, unknown>;
}

const lines = (unit: string, bytes: number): string => grow({ name: "", unit }, bytes);
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/**
 * The calls of queries, editors, merges and generators from samples that take the most time or memory for their size, as far as a search
 * found them. Many cannot end before the deadline: a product of document and query is what the caller asked for.
 */
export const languageInputs: readonly LanguageInput[] = [
  {
    name: "a join of 4,000 records with 4,000",
    slug: "csv-query",
    input: () => ({
      data: `a,b\n${lines("1,2\n", 16_000)}`,
      other: `a,c\n${lines("1,3\n", 16_000)}`,
      on: ["a"],
    }),
  },
  {
    name: "a condition of 1,000 parts for a million records",
    slug: "csv-query",
    input: () => ({ data: `a\n${lines("1\n", 2_000_000)}`, where: Array(1000).fill("a=9").join(" or ") }),
  },
  {
    name: "fields that are near to known ones, as many as there may be",
    slug: "config-validator",
    input: () => ({ data: `{${lines('"dependencie§":1,', 16_000_000)}"":1}`, name: "package.json" }),
  },
  {
    name: "values of a choice, none of which is one",
    slug: "config-validator",
    input: () => ({
      data: `{"compilerOptions":{"lib":[${lines('"ES§.Collectio",', 16_000_000)}""]}}`,
      name: "tsconfig.json",
    }),
  },
  {
    name: "objects that several alternatives are for, in each other",
    slug: "config-validator",
    input: () => ({
      data: `{"overrides":[${lines(`${'{"overrides":['.repeat(200)}1${"]}".repeat(200)},`, 8_000_000)}1]}`,
      name: ".eslintrc.json",
    }),
  },
  {
    name: "a million packages without a licence, and as many terms as there may be",
    slug: "license-checker",
    input: () => ({
      data: `{"bomFormat":"CycloneDX","components":[${lines('{"name":"§"},', 16_000_000)}{}]}`,
      allow: Array(1000).fill("MIT"),
      deny: Array(1000).fill("GPL-*"),
    }),
  },
  {
    name: "packages of which each has another expression of a hundred licences",
    slug: "license-checker",
    input: () => ({
      data: `{"bomFormat":"CycloneDX","components":[${lines(`{"licenses":[{"expression":"${Array(100).fill("MIT").join(" AND ")} AND LicenseRef-§"}]},`, 8_000_000)}{}]}`,
      allow: Array(1000).fill("LicenseRef-other"),
      deny: Array(1000).fill("GPL-2.0-only"),
    }),
  },
  {
    name: "an expression that opens and closes what it can",
    slug: "license-checker",
    input: () => ({ data: lines("(MIT OR (ISC AND (Zlib))) AND ", 16_000_000), allow: ["MIT"] }),
  },
  {
    name: "a hundred edits of 4 MB",
    slug: "json-editor",
    input: () => ({
      data: `{${lines('"k§":1,', 4_000_000)}"":1}`,
      edits: numbers(100).map((index) => `k${index}=2`),
    }),
  },
  {
    name: "a hundred edits of 1 MB",
    slug: "yaml-editor",
    input: () => ({ data: lines("k§: 1\n", 1_000_000), edits: numbers(100).map((index) => `k${index}=2`) }),
  },
  {
    name: "9,000 new pairs in tables of an array",
    slug: "toml-editor",
    input: () => ({
      data: lines("[[a]]\nb=1\n", 45_000),
      edits: ["a[].c=1", "a[].d=1"],
    }),
  },
  {
    name: "200,000 other values and as many new ones in their places",
    slug: "json-merger",
    input: () => ({
      data: `{${lines('"k§":1,', 2_000_000)}"":1}`,
      other: `{${lines('"k§":2,"j§":3,', 4_000_000)}"":1}`,
      layout: "keep",
    }),
  },
  {
    name: "new entries behind a comment",
    slug: "json-merger",
    input: () => ({
      data: `{\n${lines('"k§":1,\n', 400_000)}"":1 // last\n}`,
      other: JSON.stringify(Object.fromEntries(numbers(199).map((index) => [`n${index}`, index]))),
      layout: "keep",
      dialect: "jsonc",
    }),
  },
  {
    name: "items for each of 20,000 lists",
    slug: "yaml-merger",
    input: () => ({
      data: lines("k§: [1]\n", 200_000),
      other: lines("k§: [2, 3, 4]\n", 300_000),
      arrays: "append",
    }),
  },
  {
    name: "many values with long paths",
    slug: "json-flattener",
    input: () => ({ data: `[${`${"[".repeat(400)}1${"]".repeat(400)},`.repeat(2000)}1]` }),
  },
  {
    name: "places far apart in a list",
    slug: "json-unflattener",
    input: () => ({
      data: numbers(1999)
        .map((index) => `json[${index * 1000}] = 1;\n`)
        .join(""),
    }),
  },
  {
    name: "half a million members",
    slug: "json-schema-generator",
    input: () => ({ data: `{${lines('"§":"a",', 5_000_000)}"":1}`, enums: 20 }),
  },
  {
    name: "members whose names are the same in the language",
    slug: "json-to-types",
    input: () => ({
      data: `{${numbers(400_000)
        .map(
          (index) =>
            `"${String.fromCodePoint(0x4e00 + (index % 20_000), 0x4e00 + Math.floor(index / 20_000))}":1`,
        )
        .join(",")}}`,
      language: "rust",
    }),
  },
  {
    name: "a schema of three of itself",
    slug: "test-data-generator",
    input: () => ({
      data: JSON.stringify({
        $defs: {
          a: { properties: { b: { $ref: "#/$defs/a" }, c: { $ref: "#/$defs/a" }, d: { $ref: "#/$defs/a" } } },
        },
        $ref: "#/$defs/a",
      }),
      optional: "all",
      count: 1000,
    }),
  },
  {
    name: "a pattern of a million characters",
    slug: "test-data-generator",
    input: () => ({ data: '{"type":"string","pattern":"^(a{1,1000}){1000}$"}', count: 100 }),
  },
  {
    name: "hunks that fit almost anywhere",
    slug: "patch-applier",
    input: () => ({
      data: "a\n".repeat(1_000_000),
      patch: `--- a\n+++ b\n${numbers(3000)
        .map(
          (index) => `@@ -${index * 100 + 1},101 +${index * 100 + 1},101 @@\n${" a\n".repeat(100)}-x\n+y\n`,
        )
        .join("")}`,
      fuzz: 3,
      ignoreWhitespace: true,
      rejects: "skip",
    }),
  },
  {
    name: "lines that alternate",
    slug: "three-way-merger",
    input: () => ({
      data: "a\nb\n".repeat(500_000),
      base: "b\na\n".repeat(500_000),
      other: "a\na\nc\n".repeat(300_000),
    }),
  },
  {
    name: "lists that have nothing in common",
    slug: "list-comparer",
    input: () => ({
      data: lines("a§\n", 4_000_000),
      other: lines("b§\n", 4_000_000),
      ignoreCase: true,
      sort: true,
    }),
  },
  {
    name: "words that all differ",
    slug: "text-statistics",
    input: () => ({ data: lines("w§ ", 9_000_000), frequent: 1000 }),
  },
  {
    name: "120,000 comments",
    slug: "graphql-formatter",
    input: () => ({ data: `type A {\n${"#c\nf: Int\n".repeat(120_000)}}` }),
  },
  {
    name: "40,000 types of unknown types",
    slug: "graphql-differ",
    input: () => ({
      data: `type Query{a:Int}${lines("type Abc§{a:Xyz§}\n", 900_000)}`,
      other: "type Query{a:Int}",
    }),
  },
  {
    name: "types that all differ",
    slug: "graphql-differ",
    input: () => ({
      data: `type Query{a:Int}${lines("type A§{a:Int}\n", 600_000)}`,
      other: `type Query{a:Int}${lines("type B§{a:Int}\n", 600_000)}`,
    }),
  },
  {
    name: "schemas that refer to one another in pairs",
    slug: "openapi-differ",
    input: () => {
      const schemas = Array.from(
        { length: 3000 },
        (_, at) =>
          `"S${at}":{"allOf":[{"$ref":"#/components/schemas/S${(at * 7 + 1) % 3000}"},{"$ref":"#/components/schemas/S${(at * 5 + 2) % 3000}"}],"properties":{"a":{"$ref":"#/components/schemas/S${(at + 1) % 3000}"},"b":{"$ref":"#/components/schemas/S${(at + 2) % 3000}"}}}`,
      );
      const text = (type: string): string =>
        `{"openapi":"3.1.0","info":{"title":"","version":""},"paths":{"/a":{"post":{"requestBody":{"content":{"a/b":{"schema":{"$ref":"#/components/schemas/S0"}}}},"responses":{}}}},"components":{"schemas":{${schemas.join()},"T":{"type":"${type}"}}}}`;
      return { data: text("string"), other: text("number") };
    },
  },
  {
    name: "operations that all differ",
    slug: "openapi-differ",
    input: () => {
      const text = (path: string): string =>
        `openapi: 3.0.0\npaths:\n${lines(`  /${path}§: {get: {}}\n`, 300_000)}`;
      return { data: text("a"), other: text("b") };
    },
  },
  {
    name: "rules that visit every value of a deep document",
    slug: "openapi-validator",
    input: () => ({
      data: `{"a":${'{"a":'.repeat(400)}1${"}".repeat(400)}}`,
      ruleset: `{"rules":{${numbers(200)
        .map((at) => `"r${at}":{"given":"$..*..*","then":{"function":"truthy"}}`)
        .join()}}}`,
    }),
  },
  {
    name: "a description of two megabytes by all rules of spectral:oas",
    slug: "openapi-validator",
    input: () => ({
      data: `openapi: 3.0.3\npaths:\n${lines("  /a§: {get: {parameters: [{$ref: '#/components/parameters/P'}], responses: {'200': {$ref: '#/components/responses/R'}}}}\n", 2_000_000)}components: {parameters: {P: {name: p, in: query}}, responses: {R: {description: r, content: {a/b: {schema: {type: object, properties: {s: {type: array}}}}}}}}\n`,
      ruleset: '{"extends":[["spectral:oas","all"]]}',
    }),
  },
  {
    name: "arrays in arrays, an item a line",
    slug: "toml-formatter",
    input: () => ({
      data: `a=[${`${"[".repeat(200)}1${"]".repeat(200)},`.repeat(2000)}]`,
      indent: 10,
      width: 20,
    }),
  },
  {
    name: "siblings of siblings",
    slug: "html-query",
    input: () => ({ data: "<p>".repeat(300_000), selector: `${"p~".repeat(300)}b` }),
  },
  {
    name: "siblings that have siblings",
    slug: "html-query",
    input: () => ({ data: "<p>".repeat(100_000), selector: "p:has(~ p:has(~ b))" }),
  },
  {
    name: "600,000 lines by 30,000 sections that all match",
    slug: "editorconfig-checker",
    input: () => ({
      data: " \ta \r".repeat(600_000),
      name: `${"a/".repeat(2000)}a.c`,
      editorconfig: "[*a*a*.c]\nindent_style=space\nend_of_line=lf\ntrim_trailing_whitespace=true\n".repeat(
        12_000,
      ),
    }),
  },
  {
    name: "a line of 6 MB of spaces and one of stars in globs",
    slug: "editorconfig-checker",
    input: () => ({
      data: `${" ".repeat(6_000_000)}a${" ".repeat(2_000_000)}`,
      name: "a".repeat(4000),
      editorconfig: `[${"*a".repeat(2000)}b]\nindent_size=2\n[*]\nindent_style=space\nindent_size=3\ntrim_trailing_whitespace=true\nmax_line_length=9\n`,
    }),
  },
  {
    name: "a workflow of 30,000 jobs that each need two",
    slug: "github-actions-linter",
    input: () => ({
      data: `on: push\njobs:\n${lines("  j§: {needs: [a, b], runs-on: x, steps: [{run: a}]}\n", 1_700_000)}`,
    }),
  },
  {
    name: "a script of 100,000 expressions that strangers choose",
    slug: "github-actions-linter",
    input: () => ({
      data: `on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: |\n${lines("          ${{ github.head_ref }} # zizmor: ignore[template-injection] §\n", 6_000_000)}`,
    }),
  },
  {
    name: "aliases of aliases of steps",
    slug: "github-actions-linter",
    input: () => ({
      data: `on: push\nx:\n  - &l0 [{run: a}]\n${Array.from({ length: 300 }, (_, at) => `  - &l${at + 1} [${`*l${at}, `.repeat(9)}]\n`).join("")}`,
    }),
  },
  {
    name: "a Compose file of 100,000 services that depend on each other in a circle",
    slug: "compose-validator",
    input: () => ({ data: `services:\n${lines("  s§: {image: a, depends_on: [s0, s§]}\n", 4_000_000)}` }),
  },
  {
    name: "a Compose file of 100,000 published ports",
    slug: "compose-validator",
    input: () => ({
      data: `services:\n  a: {image: a, ports: [${lines("'1-65535:1-65535/tcp',", 2_000_000)}]}\n`,
      strict: true,
    }),
  },
  {
    name: "a Compose file with a default within 300,000 others",
    slug: "compose-validator",
    input: () => ({
      data: `services:\n  a: {image: '${"${A:-".repeat(300_000)}'}\n`,
      env: lines("A§=b\n", 1_000_000),
    }),
  },
  {
    name: "a Dockerfile of 300,000 stages that begin with each other",
    slug: "dockerfile-linter",
    input: () => ({ data: `FROM a:1 AS b\n${"ENV A=$B\n".repeat(300)}${lines("FROM b AS b\n", 6_000_000)}` }),
  },
  {
    name: "a Dockerfile of 500,000 comments that ignore rules",
    slug: "dockerfile-linter",
    input: () => ({ data: `FROM a:1\n${lines("# hadolint ignore=DL3004\nRUN sudo a\n", 8_000_000)}` }),
  },
  {
    name: "a Dockerfile with a script of substitutions within each other",
    slug: "dockerfile-linter",
    input: () => ({ data: `FROM a:1\nRUN echo ${'"$(${a:-`'.repeat(500_000)}` }),
  },
  {
    name: "a stream of 100,000 manifests",
    slug: "kubernetes-validator",
    input: () => ({
      data: lines(
        "---\napiVersion: v1\nkind: Service\nmetadata: {name: a§}\nspec: {ports: [{port: 0}]}\n",
        8_000_000,
      ),
    }),
  },
  {
    name: "300,000 unknown fields",
    slug: "kubernetes-validator",
    input: () => ({
      data: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{${lines('"containerz§":1,', 6_000_000)}"":1}}`,
      strict: false,
    }),
  },
  {
    name: "a custom resource of 50,000 items by a definition of 20,000 fields",
    slug: "kubernetes-validator",
    input: () => ({
      data: `{"apiVersion":"example.com/v1","kind":"A","metadata":{"name":"a"},"spec":[${lines('{"k§":1,"x":2},', 1_000_000)}{}]}`,
      crds: `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"as.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"A","plural":"as"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"array","items":{"type":"object","properties":{${lines('"k§":{"type":"string"},', 600_000)}"":{"type":"string"}}}}}}}}]}}`,
    }),
  },
  {
    name: "a text of 300 million items",
    slug: "xml-query",
    input: () => ({ data: "<a/>", query: "string-length(string-join(1 to 300000000))" }),
  },
  {
    name: "all that follows each of 200,000 nodes",
    slug: "xml-query",
    input: () => ({ data: `<a>${"<b/>".repeat(200_000)}</a>`, query: "count(//b/following::b)" }),
  },
  {
    name: "comprehensions in one another over 1,000 items",
    slug: "policy-checker",
    input: () => ({
      data: JSON.stringify(numbers(1000)),
      policy: policyOf([
        "document.all(a, document.all(b, document.all(c, document.all(d, a + b + c + d >= 0))))",
      ]),
    }),
  },
  {
    name: "a comparison of lists that double forty times",
    slug: "policy-checker",
    input: () => ({
      data: "{}",
      policy: policyOf(
        ["variables.v39 == variables.w39"],
        ["v", "w"].flatMap((name) =>
          numbers(40).map((at) => [
            `${name}${at}`,
            at === 0 ? "[1]" : `[variables.${name}${at - 1}, variables.${name}${at - 1}]`,
          ]),
        ),
      ),
    }),
  },
  {
    name: "texts of 8 MB that grow by a replacement, 500 times",
    slug: "policy-checker",
    input: () => ({
      data: JSON.stringify("x".repeat(8_000_000)),
      policy: policyOf(numbers(500).map((at) => `document.replace('x', 'yy').size() == ${at}`)),
    }),
  },
  {
    name: "expressions of 9,000 characters with a hundred brackets in one another, for 200 values",
    slug: "policy-checker",
    input: () => ({
      data: JSON.stringify(numbers(200)),
      policy: JSON.stringify({
        rules: numbers(100).map((at) => ({
          id: `r${at}`,
          each: "$[*]",
          expression: `${"(".repeat(99)}self${" + 1".repeat(200)}${")".repeat(99)} > ${at}${" && self >= 0".repeat(600)}`,
        })),
      }),
    }),
  },
  {
    name: "patterns of RE2 with 1,000 repetitions over 1 MB",
    slug: "policy-checker",
    input: () => ({
      data: JSON.stringify(`${"a".repeat(1_000_000)}b`),
      policy: policyOf(numbers(50).map((at) => `!document.matches('^(a?){${900 + at}}a{900}$')`)),
    }),
  },
];

const policyOf = (expressions: readonly string[], variables: readonly (readonly string[])[] = []): string =>
  JSON.stringify({
    rules: expressions.map((expression, at) => ({ id: `r${at}`, expression })),
    variables: variables.map(([name, expression]) => ({ name, expression })),
  });
