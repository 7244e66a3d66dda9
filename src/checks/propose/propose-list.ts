import { join } from "node:path";
import { cutAtCharacter } from "../../lib/cut-at-character.ts";
import { createLeftOutCount } from "../left-out.ts";
import { listTree, type TreeDeps } from "../list-tree.ts";
import { checksFileName } from "../repository.ts";
import { toProposalText } from "./proposal-text.ts";
import { type HeldFiles, proposeChecks, type ProposedCheck } from "./propose-checks.ts";

/** The name that a file of known findings has by custom. */
export const baselineFileName = "penknife.baseline.ndjson";

export interface ProposeDeps extends Pick<TreeDeps, "folder" | "repository" | "files" | "warn"> {
  /** Reports whether there is a tool that may run. */
  hasTool(slug: string): boolean;
}

/** Proposes a list of checks for the files of a folder, as the text of `penknife.checks.yaml`. @throws GitError */
export async function proposeList({
  hasTool,
  ...tree
}: ProposeDeps): Promise<{ text: string; checks: readonly ProposedCheck[] }> {
  // The list itself may be about to be overwritten, and nothing checks the baseline.
  const held = await listHeldFiles(tree, (path) => path === checksFileName || path === baselineFileName);
  const proposal = await proposeChecks(held, hasTool);
  const hasBaseline = tree.files.stat(`${tree.folder}/${baselineFileName}`)?.kind === "file";
  const baseline = hasBaseline ? baselineFileName : undefined;
  return {
    text: toProposalText(proposal, { baseline, hasTool, fileName: checksFileName }),
    checks: proposal.checks,
  };
}

/** Size above which a proposal reads only the start of a file, in bytes. */
const maxBytes = 1_048_576;

/** Lists the files of a folder that Git does not ignore. @throws GitError */
async function listHeldFiles(
  deps: Pick<TreeDeps, "folder" | "repository" | "files" | "warn">,
  omits: (path: string) => boolean,
): Promise<HeldFiles> {
  const { folder, files } = deps;
  const { paths } = await listTree({ ...deps, enterIgnored: false, leftOut: createLeftOutCount() });
  return {
    paths: paths.filter((path) => !omits(path)),
    read(path) {
      try {
        const found = files.readRegular(join(folder, path), maxBytes);
        if (typeof found === "string") return undefined;
        return "bytes" in found ? found.bytes : cutAtCharacter(found.start);
      } catch {
        return undefined;
      }
    },
  };
}
