import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Report } from "../../../src/catalog/report.ts";
import tool from "../../../src/tools/lint/github-actions-linter.ts";
import { runTool } from "../../unit/tools/run-tool.ts";
import { atHand, corpora } from "../../unit/corpora/corpus.ts";

interface File {
  id: string;
  kind: string;
  text: string;
}

function readWorkflows(): File[] {
  const lines = readFileSync(new URL("real-files.jsonl", corpora), "utf8").split("\n");
  const files = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as File);
  return files.filter(
    ({ kind, text }) => kind === "workflow" || (kind === "yaml-comments" && /^(?:jobs|runs):/m.test(text)),
  );
}

const lint = async (data: string): Promise<Report> => JSON.parse(await runTool(tool, { data })) as Report;

type Known = [finding: string, why: string];

const node20 =
  "actions/runner-images announced the end of Node 16 for actions, and of the old cache and artifact services";

/** Every error in the workflows of public projects, and why it is one. */
const errors: Record<string, Known[]> = {
  "deployments/google-cloudrun-docker.yml": [
    [
      'unknown-step 95 There is no step with the id "deploy". Ids here: auth.',
      "the step that deploys has no id, so the address is empty",
    ],
  ],
  "deployments/google-cloudrun-source.yml": [
    ['unknown-step 75 There is no step with the id "deploy". Ids here: auth.', "the same"],
  ],
  "python-poetry/poetry:.github/workflows/tests.yaml": [
    [
      'unknown-need 72 The job does not need "changes". Add it to needs of smoke.',
      "needs has direct dependencies only (contexts reference, needs): smoke needs lockfile alone, so it never runs",
    ],
  ],
};

/** Every warning, and why it is one. */
const warnings: Record<string, Known[]> = {
  "Lissy93/networking-toolbox:.github/workflows/deploy.yml": [
    ["input 32", "lines 27 and 32 have the same option"],
  ],
  "ci/haskell.yml": [["outdated-action 25", node20]],
  "code-scanning/codescan.yml": [["outdated-action 34", node20]],
  "code-scanning/frogbot-scan-pr.yml": [
    [
      "untrusted-checkout 29",
      "pull_request_target with the head of the pull request; an environment has to be approved",
    ],
  ],
  "deployments/azure-functions-app-python.yml": [["outdated-action 45", node20]],
  "deployments/openshift.yml": [["outdated-action 89", node20]],
  "dbt-labs/dbt-utils:.github/workflows/create-table-of-contents.yml": [
    ["empty 8", "switched off on purpose: on is an empty list"],
  ],
  "tSQLt-org/tSQLt:.github/workflows/aks_manage_cluster.yml": [
    ["deprecated-command 78", "workflow commands, set-output: deprecated"],
    ["deprecated-command 79", "the same"],
    ["deprecated-command 80", "the same"],
    ["deprecated-command 89", "the same"],
    ["insecure-commands 103", "the comment beside it says that it is not secure"],
  ],
};

describe.skipIf(!atHand)("workflows of public projects", () => {
  const files = atHand ? readWorkflows() : [];

  test("there are at least sixty", () => {
    expect(files.length).toBeGreaterThanOrEqual(60);
  });

  test.each(files.map((file) => [file.id, file] as const))("%s", async (id, { text }) => {
    const { errors: found } = await lint(text);
    const of = (known: Record<string, Known[]>): string[] =>
      Object.entries(known).flatMap(([end, list]) =>
        id.endsWith(end) ? list.map(([finding]) => finding) : [],
      );
    expect(
      found
        .filter(({ severity }) => severity === "error")
        .map(({ rule, line, message }) => `${rule} ${line} ${message}`),
    ).toEqual(of(errors));
    expect(
      found.filter(({ severity }) => severity === "warning").map(({ rule, line }) => `${rule} ${line}`),
    ).toEqual(of(warnings));
  });

  test("each finding that is listed is of one of them", () => {
    for (const end of [...Object.keys(errors), ...Object.keys(warnings)])
      expect([end, files.filter(({ id }) => id.endsWith(end)).length]).toEqual([end, 1]);
  });
});
