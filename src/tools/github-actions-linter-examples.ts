import type { Example } from "../catalog/tool.ts";

export const githubActionsExamples: Example<{ data: string; pin?: "sha" }>[] = [
  {
    input: {
      data: "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v5\n      - run: npm test\n",
    },
    result: '{\n  "valid": true,\n  "errors": []\n}',
  },
  {
    title: "A misspelt key, a job that does not exist, and a step that comes later",
    input: {
      data: "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    needs: biuld\n    steps:\n      - run: echo ${{ steps.version.outputs.text }}\n      - id: version\n        run: ./version.sh\n        Shell: bash\n  build:\n    runs-on: ubuntu-latest\n    steps: [{ run: make }]\n",
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The job \\"test\\" needs \\"biuld\\", which is no job here. Did you mean build?",\n      "severity": "error",\n      "rule": "needs",\n      "line": 5,\n      "column": 12,\n      "offset": 61,\n      "pointer": "/jobs/test/needs"\n    },\n    {\n      "message": "The step \\"version\\" comes later, so it has no outputs yet.",\n      "severity": "error",\n      "rule": "unknown-step",\n      "line": 7,\n      "column": 29,\n      "offset": 106,\n      "pointer": "/jobs/test/steps/0/run"\n    },\n    {\n      "message": "\\"Shell\\" is not a key that is known here. Did you mean shell?",\n      "severity": "error",\n      "rule": "unknown-key",\n      "line": 10,\n      "column": 9,\n      "offset": 184,\n      "pointer": "/jobs/test/steps/1/Shell"\n    }\n  ]\n}',
  },
  {
    title: "A title that runs as code, and an action that its owner can change",
    input: {
      data: 'on: issues\njobs:\n  greet:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: owner/action@v1\n      - run: echo "${{ github.event.issue.title }}"\n',
      pin: "sha",
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "\\"owner/action@v1\\" is not pinned: the owner can change what \\"v1\\" means. Name a commit by its 40 digits.",\n      "severity": "error",\n      "rule": "unpinned-uses",\n      "line": 6,\n      "column": 15,\n      "offset": 78,\n      "pointer": "/jobs/greet/steps/0/uses"\n    },\n    {\n      "message": "github.event.issue.title is chosen by others and becomes code of the script; pass it as a variable of env, and use that in quotes.",\n      "severity": "error",\n      "rule": "injection",\n      "line": 7,\n      "column": 24,\n      "offset": 117,\n      "pointer": "/jobs/greet/steps/1/run"\n    }\n  ]\n}',
  },
  {
    title: "Metadata of an action",
    input: {
      data: "name: Greet\ndescription: Greets somebody\ninputs: { who: { description: Somebody } }\nruns:\n  using: composite\n  steps:\n    - run: echo Hello $WHO\n      shell: bash\n      env: { WHO: '${{ inputs.whom }}' }\n",
    },
    result:
      '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "There is no input \\"whom\\". Did you mean who?",\n      "severity": "error",\n      "rule": "unknown-input",\n      "line": 9,\n      "column": 31,\n      "offset": 193,\n      "pointer": "/runs/steps/0/env/WHO"\n    }\n  ]\n}',
  },
];
