import { GitError } from "../../../checks/git/run-git.ts";
import { MachineError } from "../machine-error.ts";
import { usageError } from "../usage-error.ts";

/** A refusal of Git is a wrong call or a failure of the machine. */
export function fromGit(error: unknown): never {
  if (!(error instanceof GitError)) throw error;
  throw error.usage ? usageError(error.message) : new MachineError(error.message);
}
