// Mistakes planted in workflows, after the documentation of the checks of actionlint and of the audits of zizmor.

/** A mistake: what it is, the document, and the rule and line that report it; without them, it is not found. */
export type Mistake = [what: string, document: string, found?: string];

/** A workflow with lines in its one job, which begins in line 2. */
const job = (...lines: string[]): string =>
  ["on: push", "jobs:", "  test:", ...lines.map((line) => `    ${line}`)].join("\n");

/** A workflow with lines of steps; the first is line 6. */
const steps = (...lines: string[]): string =>
  job("runs-on: ubuntu-latest", "steps:", ...lines.map((line) => `  ${line}`));

/** A workflow with lines of its events, and a job that is sound; the first is line 1. */
const events = (...lines: string[]): string =>
  [...lines, "jobs:", "  test:", "    runs-on: ubuntu-latest", "    steps:", "      - run: make"].join("\n");

const echo = (expression: string): string => steps(`- run: echo '\${{ ${expression} }}'`);

const jobs = (...lines: string[]): string =>
  ["on: push", "jobs:", ...lines.map((line) => `  ${line}`)].join("\n");

const simple = (name: string, ...more: string[]): string[] => [
  `${name}:`,
  ...more.map((line) => `  ${line}`),
  "  runs-on: ubuntu-latest",
  "  steps:",
  "    - run: make",
];

const action = (...lines: string[]): string => ["name: a", "description: b", ...lines].join("\n");

export const mistakes: Mistake[] = [
  // Unexpected keys
  [
    "default for defaults",
    job("runs-on: ubuntu-latest", "default: { run: { shell: bash } }", "steps: [{ run: make }]"),
    "unknown-key 5",
  ],
  ["Shell for shell", steps("- run: echo", "  Shell: bash"), "unknown-key 7"],
  ["branch for branches", events("on:", "  push:", "    branch: main"), "unknown-key 3"],
  ["neds for needs", jobs(...simple("a"), ...simple("b", "neds: a")), "unknown-key 8"],
  ["an unknown key of the workflow", `${events("on: push")}\ntriggers: x`, "unknown-key 7"],
  ["a merge key", steps("- run: make", "  <<: { shell: bash }"), "unknown-key 7"],
  // Missing keys and duplicates
  ["a job without runs-on", job("steps: [{ run: make }]"), "missing-key 4"],
  ["a step without run and uses", steps("- name: nothing"), "missing-key 6"],
  [
    "a workflow without on",
    "jobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: [{ run: make }]",
    "missing-key 1",
  ],
  [
    "rows of a matrix that differ by case",
    job(
      "runs-on: ubuntu-latest",
      "strategy:",
      "  matrix:",
      "    version: [1]",
      "    VERSION: [2]",
      "steps: [{ run: make }]",
    ),
    "duplicate-key 8",
  ],
  ["jobs that differ by case", jobs(...simple("test"), ...simple("TEST")), "duplicate-key 7"],
  ["a key twice", steps("- run: make", "  run: test"), "duplicate-key 7"],
  // Empty values
  ["jobs without any", "on: push\njobs:", "empty 2"],
  ["branches without any", events("on:", "  push:", "    branches: []"), "empty 3"],
  ["an empty name of a shell", steps("- run: make", '  shell: ""'), "empty 7"],
  // Values
  [
    "off for fail-fast",
    job(
      "runs-on: ubuntu-latest",
      "strategy: { fail-fast: off, matrix: { a: [1] } }",
      "steps: [{ run: make }]",
    ),
    "value 5",
  ],
  ["a text for timeout-minutes", steps("- run: make", "  timeout-minutes: two"), "value 7"],
  [
    "a part of a runner for max-parallel",
    job(
      "runs-on: ubuntu-latest",
      "strategy: { max-parallel: 1.5, matrix: { a: [1] } }",
      "steps: [{ run: make }]",
    ),
    "value 5",
  ],
  ["a list for a name", steps("- run: make", "  name: [a]"), "type 7"],
  ["a map for run", steps("- run: { a: b }"), "type 6"],
  ["a text for steps", job("runs-on: ubuntu-latest", "steps: make"), "value 5"],
  // Syntax of expressions
  ["double quotation marks", echo('"hello"'), "expression 6"],
  ["an operator that does not exist", echo("1 + 1"), "expression 6"],
  ["a parenthesis that is not closed", echo("toJSON(github.event"), "expression 6"],
  ["an end after a dot", echo("github.event."), "expression 6"],
  ["braces that are not closed", steps("- run: echo ${{ github.sha }"), "expression 6"],
  ["nothing between braces", echo(""), "expression 6"],
  // Types
  ["an index of a context that has names", echo("env[0]"), "unknown-member 6"],
  ["a member that a container lacks", echo("job.container.os"), "unknown-member 6"],
  ["a member of a text", echo("github.repository.owner"), "unknown-member 6"],
  ["an object in a text", echo("env"), "object-as-text 6"],
  [
    "a matrix value that is a text for env",
    job(
      "runs-on: ubuntu-latest",
      "strategy: { matrix: { e: [A=B] } }",
      "steps:",
      "  - run: make",
      "    env: ${{ matrix.e }}",
    ),
  ],
  // Contexts and functions
  ["an unknown context", echo("unknown_context"), "expression 6"],
  ["events for event", echo("github.events"), "unknown-member 6"],
  ["startWith for startsWith", echo("startWith('hello', 'lo')"), "expression 6"],
  ["an argument too few", echo("startsWith('hello')"), "expression 6"],
  ["an argument too many", echo("toJSON('a', 'b')"), "expression 6"],
  ["an object for a text", echo("startsWith('hello', github.event)"), "object-as-text 6"],
  ["an argument that format lacks", echo("format('{0}{1}{2}', 1, 2)"), "expression 6"],
  ["an argument that format ignores", echo("format('{0}{1}', 1, 2, 3)"), "expression 6"],
  ["JSON that is broken", echo("fromJSON('[1')"), "expression 6"],
  ["a key that JSON lacks", echo("fromJSON('{\"a\":1}')['b']")],
  // Steps
  [
    "a step that comes later",
    steps("- run: echo ${{ steps.a.outputs.b }}", "- id: a", "  run: make"),
    "unknown-step 6",
  ],
  [
    "a step of another job",
    jobs(
      "a:",
      "  runs-on: ubuntu-latest",
      "  steps: [{ id: x, run: make }]",
      "b:",
      "  runs-on: ubuntu-latest",
      "  steps: [{ run: 'echo ${{ steps.x.outputs.y }}' }]",
    ),
    "unknown-step 8",
  ],
  [
    "output for outputs",
    steps("- id: a", "  run: make", "- run: echo ${{ steps.a.output.b }}"),
    "unknown-member 8",
  ],
  [
    "an output that actions/cache lacks",
    steps(
      "- id: c",
      "  uses: actions/cache@v4",
      "  with: { path: a, key: b }",
      "- run: echo ${{ steps.c.outputs.cache_hit }}",
    ),
  ],
  // Matrix
  [
    "a row that the matrix lacks",
    job(
      "runs-on: ubuntu-latest",
      "strategy: { matrix: { os: [a] } }",
      "steps:",
      "  - run: echo ${{ matrix.platform }}",
    ),
    "unknown-matrix 7",
  ],
  [
    "a member that no value has",
    job(
      "runs-on: ubuntu-latest",
      "strategy: { matrix: { package: [{ name: a }, { name: b }] } }",
      "steps:",
      "  - run: echo ${{ matrix.package.dev }}",
    ),
    "unknown-matrix 7",
  ],
  ["the matrix of another job", echo("matrix.os"), "unknown-matrix 6"],
  // Needs
  [
    "an output of a job that is not needed",
    jobs(
      ...simple("a"),
      "b:",
      "  runs-on: ubuntu-latest",
      "  steps: [{ run: 'echo ${{ needs.a.outputs.x }}' }]",
    ),
    "unknown-need 9",
  ],
  [
    "an output that a job lacks",
    jobs(
      ...simple("a", "outputs: { x: y }"),
      "b:",
      "  needs: a",
      "  runs-on: ubuntu-latest",
      "  steps: [{ run: 'echo ${{ needs.a.outputs.z }}' }]",
    ),
    "unknown-output 11",
  ],
  [
    "results for result",
    jobs(
      ...simple("a"),
      "b:",
      "  needs: a",
      "  if: needs.a.results == 'success'",
      "  runs-on: ubuntu-latest",
      "  steps: [{ run: make }]",
    ),
    "unknown-member 9",
  ],
  // Comparisons
  [
    "a comparison of an object with a text",
    steps("- run: make", "  if: github.event == 'push'"),
    "object-as-text 7",
  ],
  [
    "a comparison of a number with an object",
    steps("- run: make", "  if: github.event > 1"),
    "object-as-text 7",
  ],
  // Programs in scripts
  ["a variable without quotes, which shellcheck finds", steps("- run: echo $FOO")],
  ["Python that pyflakes finds", steps("- run: print(x)", "  shell: python")],
  // Injection
  ["a title in a script", echo("github.event.pull_request.title"), "injection 6"],
  ["the name of a branch in a script", echo("github.head_ref"), "injection 6"],
  ["a message of commits in a script", echo("github.event.commits.*.message"), "injection 6"],
  ["a body by an index", echo("github.event.issue['body']"), "injection 6"],
  ["a title behind a function", echo("format('{0}', github.event.issue.title)"), "injection 6"],
  ["an event as JSON", echo("toJSON(github.event.comment)"), "injection 6"],
  [
    "a title in a script of JavaScript",
    steps(
      "- uses: actions/github-script@v7",
      "  with:",
      "    script: return '${{ github.event.issue.title }}'",
    ),
    "injection 8",
  ],
  [
    "a title through a variable",
    steps("- run: echo ${{ env.TITLE }}", "  env: { TITLE: '${{ github.event.issue.title }}' }"),
    "injection 6",
  ],
  // Order of jobs
  [
    "three jobs in a circle",
    jobs(...simple("a", "needs: c"), ...simple("b", "needs: a"), ...simple("c", "needs: b")),
    "needs 9",
  ],
  ["a job that needs itself", jobs(...simple("a", "needs: a")), "needs 4"],
  ["a need twice", jobs(...simple("a"), ...simple("b", "needs: [a, A]")), "needs 8"],
  ["a need that is no job", jobs(...simple("a", "needs: unknown")), "needs 4"],
  // Values of a matrix
  [
    "a value twice",
    job("runs-on: ubuntu-latest", "strategy: { matrix: { node: [10, 14, 14] } }", "steps: [{ run: make }]"),
    "matrix 5",
  ],
  [
    "an exclusion of a value that is not there",
    job(
      "runs-on: ubuntu-latest",
      "strategy: { matrix: { node: [10], exclude: [{ node: 13 }] } }",
      "steps: [{ run: make }]",
    ),
    "matrix 5",
  ],
  [
    "an exclusion of a row that is not there",
    job(
      "runs-on: ubuntu-latest",
      "strategy: { matrix: { node: [10], exclude: [{ os: a }] } }",
      "steps: [{ run: make }]",
    ),
    "matrix 5",
  ],
  // Events
  [
    "both paths and paths-ignore",
    events("on:", "  push:", "    paths: [a]", "    paths-ignore: [b]"),
    "event 4",
  ],
  ["created for opened", events("on:", "  issues:", "    types: created"), "value 3"],
  ["tags of release", events("on:", "  release:", "    tags: v*"), "unknown-key 3"],
  ["an event that does not exist", events("on:", "  pullreq:"), "unknown-key 2"],
  ["an event that does not exist, in a list", events("on: [push, pullreq]"), "value 1"],
  ["workflow_run without workflows", events("on:", "  workflow_run:", "    types: [completed]"), "event 3"],
  // Inputs
  [
    "an unknown type of input",
    events("on:", "  workflow_dispatch:", "    inputs:", "      id: { type: text }"),
    "value 4",
  ],
  [
    "a choice without options",
    events("on:", "  workflow_dispatch:", "    inputs:", "      kind: { type: choice }"),
    "input 4",
  ],
  [
    "a default that is no option",
    events(
      "on:",
      "  workflow_dispatch:",
      "    inputs:",
      "      name: { type: choice, options: [Tama, Mike], default: Chobi }",
    ),
    "input 4",
  ],
  [
    "yes for true",
    events("on:", "  workflow_dispatch:", "    inputs:", "      verbose: { type: boolean, default: yes }"),
    "input 4",
  ],
  [
    "a default that is no number",
    events("on:", "  workflow_dispatch:", "    inputs:", "      age: { type: number, default: teen }"),
    "input 4",
  ],
  [
    "an input that is not declared",
    `${events("on:", "  workflow_dispatch:", "    inputs:", "      message: { type: string }")} \${{ inputs.massage }}`,
    "unknown-input 9",
  ],
  [
    "an input of the event that is not declared",
    `${events("on:", "  workflow_dispatch:", "    inputs:", "      message: { type: string }")} \${{ github.event.inputs.massage }}`,
    "unknown-input 9",
  ],
  [
    "a boolean as an index",
    `${events("on:", "  workflow_dispatch:", "    inputs:", "      verbose: { type: boolean }")} \${{ env[inputs.verbose] }}`,
  ],
  // Patterns
  ["^ in a branch", events("on:", "  push:", "    branches: ['^foo-']"), "glob 3"],
  ["+ behind *", events("on:", "  push:", "    tags: ['v*+']"), "glob 3"],
  ["a range that ends before it begins", events("on:", "  push:", "    tags: ['v[9-1]']"), "glob 3"],
  ["./ in a path", events("on:", "  push:", "    paths: [./src]"), "glob 3"],
  // Schedules
  ["four fields", events("on:", "  schedule:", "    - cron: '0 */3 * *'"), "cron 3"],
  ["an hour of 25", events("on:", "  schedule:", "    - cron: '0 25 * * *'"), "cron 3"],
  ["every minute", events("on:", "  schedule:", "    - cron: '* */3 * * *'"), "cron 3"],
  ["a nickname", events("on:", "  schedule:", "    - cron: '@daily'"), "cron 3"],
  // Runners
  ["linux-latest", job("runs-on: linux-latest", "steps: [{ run: make }]"), "runner-label 4"],
  [
    "a label of a matrix",
    job(
      "runs-on: ${{ matrix.runner }}",
      "strategy: { matrix: { runner: [macos-latest, gpu] } }",
      "steps: [{ run: make }]",
    ),
    "runner-label 5",
  ],
  ["an image that was removed", job("runs-on: ubuntu-18.04", "steps: [{ run: make }]"), "runner-label 4"],
  ["two images", job("runs-on: [ubuntu-latest, windows-latest]", "steps: [{ run: make }]"), "runner-label 4"],
  // Actions
  ["an action without version", steps("- uses: actions/checkout"), "uses 6"],
  ["an action without owner", steps("- uses: checkout@v4"), "uses 6"],
  ["an image without name", steps("- uses: 'docker://'"), "uses 6"],
  ["an image with an empty tag", steps("- uses: 'docker://image:'"), "uses 6"],
  ["a path without ./", steps("- uses: .github/my-actions/do-something"), "uses 6"],
  [
    "an input that a local action lacks",
    steps("- uses: ./.github/actions/my-action", "  with: { additions: foo }"),
  ],
  ["an input that actions/cache lacks", steps("- uses: actions/cache@v4", "  with: { keys: a, path: b }")],
  ["an old version of an action", steps("- uses: actions/checkout@v3"), "outdated-action 6"],
  // Shells
  ["dash", steps("- run: make", "  shell: dash"), "shell 7"],
  ["powershell on Linux", steps("- run: make", "  shell: powershell"), "shell 7"],
  [
    "fish as a default",
    job("runs-on: macos-latest", "defaults: { run: { shell: fish } }", "steps: [{ run: make }]"),
    "shell 5",
  ],
  ["sh on Windows", job("runs-on: windows-latest", "steps:", "  - run: make", "    shell: sh"), "shell 7"],
  // Ids
  ["an id twice", steps("- id: step_id", "  run: make", "- id: STEP_ID", "  run: make"), "duplicate-id 8"],
  ["a dot in the id of a job", jobs(...simple("foo-v1.2.3")), "id 3"],
  ["a space in the id of a step", steps("- id: echo for test", "  run: make"), "id 6"],
  ["a digit at the start of an id", jobs(...simple("2d-game")), "id 3"],
  // Credentials, variables, permissions
  [
    "the password of a container",
    job(
      "runs-on: ubuntu-latest",
      "container:",
      "  image: a",
      "  credentials: { username: u, password: p }",
      "steps: [{ run: make }]",
    ),
    "credentials 7",
  ],
  [
    "the password of a service",
    job(
      "runs-on: ubuntu-latest",
      "services:",
      "  redis:",
      "    image: redis",
      "    credentials: { username: u, password: p }",
      "steps: [{ run: make }]",
    ),
    "credentials 8",
  ],
  [
    "= in the name of a variable",
    job("runs-on: ubuntu-latest", "env:", "  FOO=BAR: foo", "steps: [{ run: make }]"),
    "env-name 6",
  ],
  [
    "a space in the name of a variable",
    job("runs-on: ubuntu-latest", "env:", "  FOO BAR: foo", "steps: [{ run: make }]"),
    "env-name 6",
  ],
  ["write for write-all", `${events("on: push")}\npermissions: write`, "value 7"],
  ["check for checks", `${events("on: push")}\npermissions: { check: write }`, "unknown-key 7"],
  ["readable for read", `${events("on: push")}\npermissions: { issues: readable }`, "value 7"],
  // Reusable workflows
  [
    "a default of a number that is none",
    events("on:", "  workflow_call:", "    inputs:", "      port: { type: number, default: ':1234' }"),
    "input 4",
  ],
  [
    "an unknown type",
    events("on:", "  workflow_call:", "    inputs:", "      query: { type: object }"),
    "value 4",
  ],
  [
    "a default of a required input",
    events(
      "on:",
      "  workflow_call:",
      "    inputs:",
      "      path: { type: string, required: true, default: '' }",
    ),
    "input 4",
  ],
  [
    "runs-on beside uses",
    jobs("a:", "  uses: owner/repo/path/workflow.yml@v1", "  runs-on: ubuntu-latest"),
    "unknown-key 5",
  ],
  ["a version of a local workflow", jobs("a:", "  uses: ./.github/workflows/ci.yml@main"), "workflow-call 4"],
  [
    "with beside steps",
    job("with: { foo: bar }", "runs-on: ubuntu-latest", "steps: [{ run: make }]"),
    "unknown-key 5",
  ],
  ["a local workflow that does not exist", jobs("a:", "  uses: ./.github/workflows/not-existing.yml")],
  [
    "an input that the call does not declare",
    `${events("on:", "  workflow_call:", "    inputs:", "      url: { type: string }")} \${{ inputs.uri }}`,
    "unknown-input 9",
  ],
  [
    "a secret that the call does not declare",
    `${events("on:", "  workflow_call:", "    secrets:", "      credential: { required: true }")} \${{ secrets.credentials }}`,
    "unknown-secret 9",
  ],
  [
    "an output that no job has",
    events("on:", "  workflow_call:", "    outputs:", "      v: { value: '${{ jobs.test.outputs.tag }}' }"),
    "unknown-output 4",
  ],
  // Where contexts are available
  ["env in runs-on", job("runs-on: ${{ env.RUNNER }}", "steps: [{ run: make }]"), "expression 4"],
  [
    "runner in a matrix",
    job(
      "runs-on: ubuntu-latest",
      "strategy: { matrix: { a: ['${{ runner.temp }}'] } }",
      "steps: [{ run: make }]",
    ),
    "expression 5",
  ],
  [
    "env in the environment of a job",
    job("runs-on: ubuntu-latest", "env: { A: '${{ env.B }}' }", "steps: [{ run: make }]"),
    "expression 5",
  ],
  ["success() in a script", echo("success()"), "expression 6"],
  ["secrets in a condition", steps("- run: make", "  if: secrets.TOKEN != ''"), "expression 7"],
  [
    "steps in the condition of a job",
    job("runs-on: ubuntu-latest", "if: steps.a.outcome == 'success'", "steps: [{ run: make }]"),
    "expression 5",
  ],
  // Commands and conditions
  ["set-output", steps("- run: echo '::set-output name=foo::bar'"), "deprecated-command 6"],
  ["add-path", steps("- run: echo '::add-path::/opt/bin'"), "deprecated-command 6"],
  [
    "a condition with a line end",
    steps("- run: make", "  if: |", "    ${{ github.event_name == 'push' }}"),
    "constant-condition 7",
  ],
  [
    "a condition with a space",
    steps("- run: make", "  if: \"${{ github.ref == 'a' }} \""),
    "constant-condition 7",
  ],
  [
    "a condition of two expressions",
    steps("- run: make", "  if: ${{ github.ref == 'a' }} && ${{ github.sha == 'b' }}"),
    "constant-condition 7",
  ],
  ["a condition of texts", steps("- run: make", "  if: \"'a' == 'b'\""), "constant-condition 7"],
  // Metadata of actions
  ["an action without description", "name: a\nruns: { using: node20, main: a.js }", "missing-key 1"],
  ["an unknown icon", action("branding: { icon: dog }", "runs: { using: node20, main: a.js }"), "value 3"],
  [
    "an unknown colour",
    action("branding: { color: gray-white }", "runs: { using: node20, main: a.js }"),
    "value 3",
  ],
  ["a Node that is gone", action("runs: { using: node16, main: a.js }"), "outdated-runtime 3"],
  ["env of an action of Node", action("runs: { using: node20, main: a.js, env: { A: b } }"), "unknown-key 3"],
  ["main of an image", action("runs: { using: docker, main: a.js }"), "action 3"],
  [
    "a step of an action without shell",
    action("runs:", "  using: composite", "  steps:", "    - run: make"),
    "missing-key 6",
  ],
  [
    "an input that the action lacks",
    action("runs:", "  using: composite", "  steps:", "    - run: echo ${{ inputs.a }}", "      shell: bash"),
    "unknown-input 6",
  ],
  // Audits of zizmor
  [
    "bot-conditions",
    events("on: pull_request_target").replace(
      "- run",
      "- if: github.actor == 'dependabot[bot]'\n        run",
    ),
    "spoofable-actor 6",
  ],
  [
    "dangerous-triggers",
    `${events("on: pull_request_target")}\n      - uses: actions/checkout@v4\n        with: { ref: '\${{ github.event.pull_request.head.sha }}' }`,
    "untrusted-checkout 8",
  ],
  [
    "insecure-commands",
    steps("- run: make", "  env: { ACTIONS_ALLOW_UNSECURE_COMMANDS: true }"),
    "insecure-commands 7",
  ],
  [
    "overprovisioned-secrets",
    steps("- run: make", "  env: { ALL: '${{ toJSON(secrets) }}' }"),
    "secrets-in-bulk 7",
  ],
  [
    "unsound-contains",
    steps("- run: make", "  if: contains('refs/heads/main refs/heads/develop', github.ref)"),
    "unsound-contains 7",
  ],
  [
    "cache-poisoning",
    `${events("on: release")}\n      - uses: actions/cache@v4\n        with: { path: a, key: b }`,
  ],
  [
    "github-env",
    steps('- run: echo "A=$TITLE" >> $GITHUB_ENV', "  env: { TITLE: '${{ github.event.issue.title }}' }"),
  ],
  ["unredacted-secrets", steps("- run: make", "  env: { A: '${{ fromJSON(secrets.ALL).a }}' }")],
  ["artipacked", steps("- uses: actions/checkout@v4")],
  ["secrets-inherit", jobs("a:", "  uses: owner/repo/path/workflow.yml@v1", "  secrets: inherit")],
];
