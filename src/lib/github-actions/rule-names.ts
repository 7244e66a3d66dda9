/** Names that actionlint and zizmor have for rules of ours: several of ours may be one of theirs. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  action: ["actionlint/action"],
  "constant-condition": ["actionlint/if-cond"],
  credentials: ["actionlint/credentials", "zizmor/hardcoded-container-credentials"],
  cron: ["actionlint/events"],
  "deprecated-command": ["actionlint/deprecated-commands"],
  "duplicate-id": ["actionlint/id"],
  "duplicate-key": ["actionlint/syntax-check"],
  empty: ["actionlint/syntax-check"],
  "env-name": ["actionlint/env-var"],
  event: ["actionlint/events"],
  expression: ["actionlint/expression"],
  glob: ["actionlint/glob"],
  id: ["actionlint/id"],
  injection: ["actionlint/expression", "zizmor/template-injection"],
  input: ["actionlint/events", "actionlint/workflow-call"],
  "insecure-commands": ["zizmor/insecure-commands"],
  matrix: ["actionlint/matrix"],
  "missing-key": ["actionlint/syntax-check"],
  "missing-permissions": ["zizmor/excessive-permissions"],
  needs: ["actionlint/job-needs"],
  "object-as-text": ["actionlint/expression"],
  "outdated-action": ["actionlint/action"],
  "outdated-runtime": ["actionlint/action"],
  "runner-label": ["actionlint/runner-label"],
  "secrets-in-bulk": ["zizmor/overprovisioned-secrets"],
  shell: ["actionlint/shell-name"],
  "spoofable-actor": ["zizmor/bot-conditions"],
  type: ["actionlint/syntax-check"],
  "unknown-input": ["actionlint/expression"],
  "unknown-job": ["actionlint/expression"],
  "unknown-key": ["actionlint/syntax-check"],
  "unknown-matrix": ["actionlint/expression"],
  "unknown-member": ["actionlint/expression"],
  "unknown-need": ["actionlint/expression"],
  "unknown-output": ["actionlint/expression"],
  "unknown-secret": ["actionlint/expression"],
  "unknown-step": ["actionlint/expression"],
  "unpinned-uses": ["zizmor/unpinned-uses"],
  "unsound-contains": ["zizmor/unsound-contains"],
  "untrusted-checkout": ["zizmor/dangerous-triggers"],
  uses: ["actionlint/action"],
  value: ["actionlint/syntax-check", "actionlint/permissions", "actionlint/events"],
  "workflow-call": ["actionlint/workflow-call"],
};

export const actionsRules: readonly string[] = Object.keys(aliases);

export const actionsAliases: readonly string[] = [...new Set(Object.values(aliases).flat())].toSorted();

/** Whether a list of names, ours or theirs, names a rule. */
export const namesRule = (names: ReadonlySet<string>, rule: string): boolean =>
  names.has(rule) ||
  (Object.hasOwn(aliases, rule) && (aliases[rule] as readonly string[]).some((one) => names.has(one)));

/** Returns the names in the comments of zizmor, `# zizmor: ignore[RULE, …]`, by their lines from 1. */
export function findIgnores(text: string): ReadonlyMap<number, ReadonlySet<string>> {
  const found = new Map<number, Set<string>>();
  if (!text.includes("zizmor:")) return found;
  for (const [index, line] of text.split("\n").entries()) {
    const names = /(?:^|\s)#\s*zizmor:\s*ignore\[([^\]]{0,1000})\]/.exec(line)?.[1];
    if (names !== undefined)
      found.set(index + 1, new Set(names.split(",").map((name) => `zizmor/${name.trim()}`)));
  }
  return found;
}
