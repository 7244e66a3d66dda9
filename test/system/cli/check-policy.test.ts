import { expect, test } from "vitest";
import { penknife as runHere, shareWorkers } from "./host.ts";
import { makeTree } from "./repository.ts";

const program = shareWorkers();
const files = {
  "policies/ports.yaml":
    "rules:\n  - id: port\n    each: $..port\n    expression: self > 1024\n    message: A low port.\n",
  "penknife.checks.yaml":
    'checks: [{ tool: policy-checker, files: "config/*", with: { policyFile: policies/ports.yaml } }]\n',
  "config/a.json": '{\n  "port": 80\n}\n',
  "config/b.yaml": "port: 2000\n---\nport: 81\n",
  "config/c.toml": "port = 82\n",
  "config/d.jsonl": '{"port":2000}\n{"port":83}\n',
  "config/e.jsonc": '// c\n{"port":84}\n',
};
const penknife = (line: string, cwd: string) => runHere(line.split(" "), { program, cwd });

test("a list of checks names a policy, and each file is read in the format of its name", async () => {
  const { cwd } = makeTree(files);
  const { status, stdout } = await penknife("check", cwd);
  expect(stdout.match(/^\S+: A low port\. .*$/gm)).toEqual([
    "config/a.json:2:11: A low port. (port)",
    "config/b.yaml:3:7: A low port. (port)",
    "config/c.toml:1:8: A low port. (port)",
    "config/d.jsonl:2:9: A low port. (port)",
    "config/e.jsonc:2:9: A low port. (port)",
  ]);
  expect(status).toBe(1);
});

test("violations are in SARIF with the rule of the policy, and a baseline knows them", async () => {
  const { cwd } = makeTree(files);
  const sarif = JSON.parse((await penknife("check --format sarif", cwd)).stdout) as {
    runs: { results: { ruleId: string }[] }[];
  };
  expect(sarif.runs[0]?.results.map(({ ruleId }) => ruleId)).toEqual(Array(5).fill("policy-checker/port"));
  await penknife("check --baseline known.ndjson --write-baseline", cwd);
  expect((await penknife("check --baseline known.ndjson", cwd)).status).toBe(0);
});

test("a policy at fault stops the check, with its place in the file of the policy", async () => {
  const { cwd } = makeTree({
    ...files,
    "policies/ports.yaml": "rules:\n  - id: port\n    expression: low(self)\n",
  });
  const { status, stderr } = await penknife("check", cwd);
  expect(status).toBe(2);
  expect(stderr).toContain(
    "policies/ports.yaml): Rule port: expression is no valid CEL: There is no function low. (line 3, column 17)",
  );
});
