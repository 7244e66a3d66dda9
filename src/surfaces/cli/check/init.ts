import { counted } from "../../../lib/counted.ts";
import { join, relative } from "node:path";
import { createLeftOutCount } from "../../../checks/left-out.ts";
import { listTree } from "../../../checks/list-tree.ts";
import { proposeChecks } from "../../../checks/propose-checks.ts";
import { openRepository } from "../../../checks/git/open-repository.ts";
import { checksFileName, findRoot } from "../../../checks/repository.ts";
import { cutAtCharacter } from "../../../lib/cut-at-character.ts";
import { showFileName } from "../../../lib/file-name.ts";
import { defineLeaf } from "../command.ts";
import type { Host } from "../host.ts";
import { refuseData } from "../run-line.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { requireWritable, writeFile } from "../write-file.ts";
import { writeWarning } from "../write-warning.ts";
import { fromGit } from "./from-git.ts";

/** `penknife check init` */
export const initCommand = defineLeaf({
  description: "Write penknife.checks.yaml, with the checks that fit the files of the repository.",
  args: {
    force: { type: "boolean", description: "Overwrite a file that exists" },
    "dry-run": { type: "boolean", description: "Print the file, and write nothing" },
  },
  refused: refuseData("check init"),
  run: (args, host) => writeProposal(args as Line, host),
});

interface Line {
  force?: boolean;
  "dry-run"?: boolean;
}

/** Size above which a proposal reads only the start of a file, in bytes. */
const maxBytes = 1_048_576;

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
  const repository = await openRepository(files.cwd, { files, env }).catch(fromGit);
  const { paths, ignored } = await listTree({
    folder,
    repository,
    enterIgnored: true,
    files,
    leftOut: createLeftOutCount(),
    warn: (message) => writeWarning(message, host),
  }).catch(fromGit);
  const { text, checks } = proposeChecks({
    paths: paths.filter((one) => one !== checksFileName),
    ignored,
    read(one) {
      try {
        const found = files.readRegular(join(folder, one), maxBytes);
        if (typeof found === "string") return undefined;
        return "bytes" in found ? found.bytes : cutAtCharacter(found.start);
      } catch {
        return undefined;
      }
    },
  });
  if (line["dry-run"] === true) {
    await stdout.write(text);
    return 0;
  }
  await writeFile({ ...target, content: [text] }, host);
  const rows = checks.map(({ tool, files: count }) => `  ${tool}: ${counted(count, "file")}\n`);
  await stderr.write(`Wrote ${shown}, which checks\n${rows.join("")}Run penknife check.\n`);
  return 0;
}
