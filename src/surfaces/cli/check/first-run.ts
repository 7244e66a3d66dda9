import { dirname } from "node:path";
import { applyIgnores } from "../../../checks/apply-ignores.ts";
import { checkFiles } from "../../../checks/check-files.ts";
import { createLeftOutCount } from "../../../checks/left-out.ts";
import { openChecks } from "../../../checks/open-checks.ts";
import { planChecks } from "../../../checks/plan.ts";
import { baselineFileName } from "../../../checks/propose/propose-list.ts";
import { selectFiles } from "../../../checks/select-files.ts";
import { createSettingsReader } from "../../../checks/settings-above.ts";
import { showFileName } from "../../../lib/file-name.ts";
import type { LoadedSettings } from "../../../config.ts";
import type { Host } from "../host.ts";
import type { Installation } from "../installation.ts";
import { createProgress } from "../progress.ts";
import { visible } from "../visible.ts";
import { fromGit } from "./from-git.ts";
import { openLocalRunner } from "./run-checks.ts";

export interface FirstRunDeps {
  installation: Installation;
  settings: LoadedSettings;
  host: Host;
}

/** Runs the checks of a new list once, and says in a few lines what they find, and what to do about it. */
export async function describeFirstRun(deps: FirstRunDeps): Promise<string> {
  const { installation, settings, host } = deps;
  const { files, env } = host;
  const { catalog } = installation;
  const { disabled } = settings.config.tools;
  const opened = await openChecks(undefined, { catalog, disabled, files, env }).catch(fromGit);
  const { file, folder, repository } = opened;
  const leftOut = createLeftOutCount();
  const tree = { folder, repository, enterIgnored: false, files, leftOut, warn: async () => undefined };
  const { source } = await selectFiles({ words: [] }, tree).catch(fromGit);
  const { entries } = file;
  const toName = (path: string) => path;
  const plan = planChecks({ file, entries, source, toName, leftOut, named: false });
  const workers = Math.max(1, Math.min(host.processors, plan.files.length));
  const runner = openLocalRunner(deps, workers);
  const progress = createProgress(host, plan.files.length);
  const counts = new Map<string, number>();
  let failed = 0;
  try {
    const checked = checkFiles({
      files: plan.files,
      width: workers * 2,
      run: runner.run,
      readSettings: createSettingsReader(files),
      finish: (_, verdicts, bytes) => applyIgnores(verdicts, bytes, catalog.has),
      onFile: progress.advance,
    });
    for await (const one of checked) {
      if (one.failed === true || one.unread === true) failed++;
      else if (one.errors.length > 0) counts.set(one.name, (counts.get(one.name) ?? 0) + one.errors.length);
    }
  } finally {
    progress.end();
    source.close();
    await runner.close();
  }
  const unknown = failed === 0 ? "" : ` ${count(failed, "file")} could not be checked.`;
  return `${describe(counts)}${unknown}`;
}

/** A folder with at least this part of all findings is named. */
const share = 0.5;

/** @param counts The number of findings of each file that has any. */
function describe(counts: ReadonlyMap<string, number>): string {
  const total = [...counts.values()].reduce((sum, one) => sum + one, 0);
  if (total === 0) return "They find nothing. Run penknife check.";
  const [folder, inFolder] = mostOf(counts, total);
  const baseline = `penknife check --write-baseline --baseline ${baselineFileName}`;
  const all = count(total, "finding");
  if (folder === undefined || counts.size === 1)
    return `They find ${all} in ${count(counts.size, "file")}: run penknife check to see them, or write a baseline, so that only new ones fail: ${baseline}`;
  return `They find ${all}, ${inFolder.toLocaleString("en")} of them in ${visible(showFileName(folder))}/: exclude it, or write a baseline, so that only new ones fail: ${baseline}`;
}

/** The innermost folder that has most of the findings. */
function mostOf(
  counts: ReadonlyMap<string, number>,
  total: number,
): [folder: string | undefined, findings: number] {
  const sums = new Map<string, number>();
  for (const [path, findings] of counts)
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder))
      sums.set(folder, (sums.get(folder) ?? 0) + findings);
  let best: [string | undefined, number] = [undefined, 0];
  for (const [folder, findings] of sums) {
    if (findings < total * share) continue;
    const isInner = best[0] !== undefined && folder.startsWith(`${best[0]}/`);
    // An inner folder is as good only if it has nearly all of what the outer one has.
    if (best[0] === undefined || (isInner ? findings >= best[1] * 0.9 : findings > best[1]))
      best = [folder, findings];
  }
  return best;
}

const count = (number: number, noun: string): string =>
  `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
