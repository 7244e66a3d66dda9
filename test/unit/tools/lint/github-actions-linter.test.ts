import { expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import { actionsAliases, actionsRules } from "../../../../src/lib/github-actions/rule-names.ts";
import tool from "../../../../src/tools/lint/github-actions-linter.ts";
import { runTool } from "../run-tool.ts";
import { mistakes } from "./github-actions-linter-mistakes.ts";

interface Options {
  kind?: string;
  labels?: string[];
  pin?: string;
  permissions?: string;
  ignore?: string[];
}

const lint = async (data: string, options: Options = {}): Promise<Report> =>
  JSON.parse(await runTool(tool, { data, ...options })) as Report;

/** Rules with their lines. */
const found = async (data: string, options?: Options): Promise<string[]> =>
  (await lint(data, options)).errors.map(({ rule, line }) => `${rule} ${line}`);

test.each(mistakes)("%s", async (_, document, expected) => {
  const all = await found(document);
  if (expected === undefined) expect(all).toEqual([]);
  else expect(all).toContain(expected);
});

test("at least a hundred mistakes are found, and those that are not are these", () => {
  expect(mistakes.filter(([, , expected]) => expected !== undefined).length).toBeGreaterThanOrEqual(100);
  expect(mistakes.filter(([, , expected]) => expected === undefined).map(([what]) => what)).toEqual([
    "a matrix value that is a text for env",
    "a key that JSON lacks",
    "an output that actions/cache lacks",
    "a variable without quotes, which shellcheck finds",
    "Python that pyflakes finds",
    "a boolean as an index",
    "an input that a local action lacks",
    "an input that actions/cache lacks",
    "a local workflow that does not exist",
    "cache-poisoning",
    "github-env",
    "unredacted-secrets",
    "artipacked",
    "secrets-inherit",
  ]);
});

test("each rule has a mistake, but those of what is no workflow at all and those that an option turns on", () => {
  const planted = new Set(mistakes.map(([, , expected]) => expected?.split(" ")[0]));
  expect(actionsRules.filter((rule) => !planted.has(rule))).toEqual([
    "missing-permissions",
    "unknown-job",
    "unpinned-uses",
  ]);
});

/** A workflow whose one step has these lines; the first is line 6. */
const steps = (...lines: string[]): string =>
  [
    "on: push",
    "jobs:",
    "  test:",
    "    runs-on: ubuntu-latest",
    "    steps:",
    ...lines.map((line) => `      ${line}`),
    "",
  ].join("\n");

test("a finding has the place of what is wrong, in text that is quoted, folded or in a block", async () => {
  const data = steps(
    "- run: |",
    "    make",
    "    echo ${{ github.sha }} ${{ steps.x.outputs.y }}",
    "- name: 'it''s ${{ github.shaa }}'",
    "  run: make",
  );
  expect((await lint(data)).errors).toEqual([
    {
      message: 'There is no step with the id "x". No step here has an id.',
      severity: "error",
      rule: "unknown-step",
      line: 8,
      column: 44,
      offset: data.indexOf("x.outputs"),
      pointer: "/jobs/test/steps/0/run",
    },
    {
      message: 'The context github has no "shaa". Did you mean sha?',
      severity: "error",
      rule: "unknown-member",
      line: 9,
      column: 33,
      offset: data.indexOf("shaa"),
      pointer: "/jobs/test/steps/1/name",
    },
  ]);
});

test("messages say what is known, what is expected and what was meant", async () => {
  const messages = async (data: string): Promise<string[]> =>
    (await lint(data)).errors.map(({ message }) => message);
  expect(await messages(steps("- run: make", "  timeout-minutes: soon"))).toEqual([
    '"soon" is not allowed here; expected a number.',
  ]);
  expect(await messages(`permissions: { contents: reed }\n${steps("- run: make")}`)).toEqual([
    '"reed" is not allowed here; expected read, write or none. Did you mean read?',
  ]);
  expect(await messages(steps("- run: make", "  if: sucess()"))).toEqual([
    'There is no function "sucess". Did you mean success?',
  ]);
  expect(await messages(steps('- run: echo ${{ github.ref == "main" }}'))).toEqual([
    'Unexpected "\\"main\\"" in the expression. A text needs single quotation marks.',
  ]);
  expect(await messages("on: push\njobs: { a: { runs-on: x, steps: [{ run: a }], uses: b } }")).toContain(
    '"uses" is not a key that is known here. Known keys: cancel-timeout-minutes, concurrency, container, continue-on-error, defaults, env, environment, if, name, needs, outputs, permissions, runs-on, services, snapshot, steps, strategy, timeout-minutes.',
  );
});

test("what strangers choose is code in a script, and a value everywhere else", async () => {
  const run = (expression: string) => steps(`- run: echo "\${{ ${expression} }}"`);
  for (const harmless of [
    "contains(github.event.issue.title, 'x')",
    "github.head_ref == 'main'",
    "!github.head_ref",
    "github.head_ref && 'x'",
    "github.event.issue.number",
    "github.event.pull_request.head.sha",
    "hashFiles(github.head_ref)",
  ])
    expect([harmless, await found(run(harmless))]).toEqual([harmless, []]);
  for (const harmful of [
    "github.head_ref || 'x'",
    "'x' && github.head_ref",
    "join(github.event.commits.*.message)",
    "github.event.commits[0].message",
    "GitHub.Event.Issue.Title",
    "github.event[inputs.x].title",
    "toJSON(github)",
    "case(true, github.head_ref, 'x')",
  ])
    expect([harmful, await found(run(harmful))]).toEqual([harmful, expect.arrayContaining(["injection 6"])]);
  expect(
    await found(
      steps(
        "- uses: a/b@v1",
        "  with: { title: '${{ github.event.issue.title }}' }",
        "  env: { T: '${{ github.head_ref }}' }",
      ),
    ),
  ).toEqual([]);
});

test("actions are pinned to a commit or a version where the option asks for it", async () => {
  const sha = "0123456789abcdef0123456789abcdef01234567";
  const data = steps(
    "- uses: a/b@v1",
    "- uses: a/b@main",
    `- uses: a/b@${sha}`,
    "- uses: ./here",
    "- uses: docker://a:1",
    `- uses: docker://a@sha256:${"0".repeat(64)}`,
  );
  expect(await found(data)).toEqual([]);
  expect(await found(data, { pin: "tag" })).toEqual(["unpinned-uses 7"]);
  expect(await found(data, { pin: "sha" })).toEqual([
    "unpinned-uses 6",
    "unpinned-uses 7",
    "unpinned-uses 10",
  ]);
  const call = "on: push\njobs: { a: { uses: a/b/.github/workflows/c.yml@main } }";
  expect(await found(call, { pin: "sha" })).toEqual(["unpinned-uses 2"]);
});

test("missing permissions are warned of where the option asks for it", async () => {
  const data = steps("- run: make");
  expect(await found(data, { permissions: "warn" })).toEqual(["missing-permissions 3"]);
  expect(await found(`permissions: {}\n${data}`, { permissions: "warn" })).toEqual([]);
  expect(await found(`permissions: write-all\n${data}`, { permissions: "warn" })).toEqual([
    "missing-permissions 1",
  ]);
  expect(
    await found(data.replace("    steps:", "    permissions: { contents: read }\n    steps:"), {
      permissions: "warn",
    }),
  ).toEqual([]);
});

test("labels of own runners are known, with wildcards", async () => {
  const data = "on: push\njobs: { a: { runs-on: [self-hosted, gpu-8x], steps: [{ run: make }] } }";
  expect(await found(data)).toEqual(["runner-label 2"]);
  for (const label of ["gpu-8x", "GPU-*", "*-8x", "g*u*x"])
    expect(await found(data, { labels: [label] })).toEqual([]);
  expect(await found(data, { labels: ["gpu-*-8x"] })).toEqual(["runner-label 2"]);
});

test("rules are left out by our names, by those of other linters, and by comments of zizmor", async () => {
  const data = steps("- run: echo ${{ github.head_ref }}", "- uses: actions/checkout@v3");
  expect(await found(data)).toEqual(["injection 6", "outdated-action 7"]);
  expect(await found(data, { ignore: ["injection"] })).toEqual(["outdated-action 7"]);
  expect(await found(data, { ignore: ["zizmor/template-injection", "actionlint/action"] })).toEqual([]);
  await expect(lint(data, { ignore: ["no-such-rule"] })).rejects.toMatchObject({ code: "invalid_input" });
  for (const alias of actionsAliases) expect(alias).toMatch(/^(?:actionlint|zizmor)\/[a-z-]+$/);
  expect(
    await found(
      steps(
        "- run: echo ${{ github.head_ref }} # zizmor: ignore[template-injection, artipacked]",
        "- run: | # zizmor: ignore[template-injection]",
        "    echo ${{ github.head_ref }}",
        "- run: echo ${{ github.head_ref }} # zizmor: ignore[unpinned-uses]",
      ),
    ),
  ).toEqual(["injection 9"]);
});

test("the kind is read from the document, and can be given", async () => {
  const action = "name: a\ndescription: b\nruns: { using: node24, main: a.js }\n";
  expect(await found(action)).toEqual([]);
  expect(await found(action, { kind: "workflow" })).toContain("unknown-key 3");
  expect(await found(steps("- run: make"), { kind: "action" })).toContain("unknown-key 1");
});

test.each([
  ["nothing", "", "type 1"],
  ["a text", "hello", "type 1"],
  ["a list", "- a\n", "type 1"],
  ["what is no YAML", "a: [", "bad-indent 1"],
  ["a second document", `${steps("- run: make")}---\na: 1\n`, "documents 8"],
  ["a map as a key", "{ a: 1 }: b\n", "key 1"],
  ["an alias without an anchor", "on: *push\n", "bad-alias 1"],
  ["an alias inside its own anchor", "on: &a { push: *a }\n", "bad-alias 1"],
])("%s is one error", async (_, data, expected) => {
  expect(await found(data)).toEqual([expected]);
});

test("names that objects of JavaScript have are names like others", async () => {
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"]) {
    expect(await found(`${steps("- run: make")}${name}: 1\n`)).toEqual(["unknown-key 7"]);
    expect(await found(steps("- run: make", `  env: { ${name}: a }`))).toEqual([]);
    expect(await found(steps(`- run: echo \${{ steps.${name}.outputs.x }} \${{ env.${name} }}`))).toEqual([
      "unknown-step 6",
    ]);
    expect(await found(steps("- run: make", `  shell: ${name}`))).toEqual(["shell 7"]);
    expect(await found(steps(`- uses: ${name}/${name}@v1`))).toEqual([]);
    expect(await found(`on: { ${name}: {} }\n${steps("- run: make").slice(9)}`)).toEqual(["unknown-key 1"]);
  }
});

test("aliases are read as what they repeat, as far as their number allows", async () => {
  const shared = steps("- &first { run: make, shell: bash }", "- *first", "- *first");
  expect(await found(shared)).toEqual([]);
  const levels = Array.from({ length: 30 }, (_, level) => `- &l${level + 1} [${`*l${level}, `.repeat(8)}]`);
  expect(await found(`x:\n- &l0 [a]\n${levels.join("\n")}\n`)).toEqual([
    expect.stringMatching(/^too-many-aliases /),
  ]);
  // The findings of an anchor are reported once.
  expect(await found(steps("- &first { run: 'echo ${{ github.head_ref }}' }", "- *first"))).toEqual([
    "injection 6",
  ]);
});

test("depth is limited before the library reads the document", async () => {
  const nested = (levels: number): string => `on: push\nx: ${"[".repeat(levels)}${"]".repeat(levels)}\n`;
  expect(await found(nested(200))).toEqual(["too-deep 2"]);
  expect(await found(nested(5000))).toEqual(["too-deep 2"]);
  expect(await found(`on: push\nx: ${"{ a: ".repeat(300)}1${" }".repeat(300)}\n`)).toEqual(["too-deep 2"]);
});

test("long expressions and chains end", async () => {
  expect(await found(steps(`- run: echo \${{ ${"(".repeat(200)}1${")".repeat(200)} }}`))).toEqual([
    "expression 6",
  ]);
  expect(await found(steps(`- run: echo \${{ ${"!".repeat(200)}true }}`))).toEqual(["expression 6"]);
  expect(await found(steps(`- run: echo \${{ 1${" == 1".repeat(4000)} }}`))).toEqual([]);
  expect(await found(steps(`- run: echo \${{ '${"a".repeat(30_000)}' }}`))).toEqual(["expression 6"]);
});

test("at most a hundred errors are reported, and warnings take no room of them", async () => {
  const wrong = Array.from({ length: 150 }, () => "- run: echo ${{ github.head_ref }}");
  const warned = Array.from({ length: 150 }, () => "- uses: actions/checkout@v3");
  const { errors } = await lint(steps(...warned, ...wrong));
  expect(errors.map(({ rule }) => rule)).toEqual(Array.from({ length: 100 }, () => "injection"));
});
