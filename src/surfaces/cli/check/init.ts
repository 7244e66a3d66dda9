import { counted } from "../../../lib/counted.ts";
import { join, relative } from "node:path";
import { openRepository } from "../../../checks/git/open-repository.ts";
import { proposeList } from "../../../checks/propose/propose-list.ts";
import { checksFileName, findRoot } from "../../../checks/repository.ts";
import { showFileName } from "../../../lib/file-name.ts";
import { defineLeaf } from "../command.ts";
import type { Host } from "../host.ts";
import { openInstallation } from "../installation.ts";
import { loadSettings } from "../load-settings.ts";
import { refuseData } from "../run-line.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { requireWritable, writeFile } from "../write-file.ts";
import { writeWarning } from "../write-warning.ts";
import { describeFirstRun } from "./first-run.ts";
import { fromGit } from "./from-git.ts";

/** `penknife check init` */
export const initCommand = defineLeaf({
  description:
    "Write penknife.checks.yaml, with the checks that fit the files of the repository, and run them once.",
  args: {
    force: { type: "boolean", description: "Overwrite a file that exists" },
    "dry-run": { type: "boolean", description: "Print the file; write and run nothing" },
  },
  refused: refuseData("check init"),
  run: (args, host) => writeProposal(args as Line, host),
});

interface Line {
  config?: string;
  force?: boolean;
  "dry-run"?: boolean;
}

async function writeProposal(line: Line, host: Host): Promise<number> {
  const { files, env, stdout, stderr } = host;
  const root = findRoot(files.cwd, files);
  const folder = root ?? files.cwd;
  const path = join(folder, checksFileName);
  const target = { path: relative(files.cwd, path), tree: folder };
  const shown = visible(showFileName(target.path));
  // Not `stat`, which follows links: a link to nothing would have the file written elsewhere.
  if (line["dry-run"] !== true && line.force !== true && files.readRegular(path, 0) !== "missing")
    throw usageError(`${shown} exists; nothing was written. To overwrite it: penknife check init --force`);
  if (line["dry-run"] !== true) await requireWritable(target, host);
  const installation = await openInstallation(host);
  const settings = await loadSettings(line, host, installation);
  const { disabled } = settings.config.tools;
  const repository = await openRepository(files.cwd, { files, env }).catch(fromGit);
  const { text, checks } = await proposeList({
    folder,
    repository,
    files,
    warn: (message) => writeWarning(message, host),
    hasTool: (slug) => installation.catalog.has(slug) && !disabled.includes(slug),
  }).catch(fromGit);
  if (line["dry-run"] === true) {
    await stdout.write(text);
    return 0;
  }
  await writeFile({ ...target, content: [text] }, host);
  const rows = checks.map(({ tool, selected }) => `  ${tool}: ${counted(selected.length, "file")}\n`);
  await stderr.write(`Wrote ${shown}, which checks\n${rows.join("")}`);
  await stderr.write(`${await describeFirstRun({ installation, settings, host })}\n`);
  return 0;
}
