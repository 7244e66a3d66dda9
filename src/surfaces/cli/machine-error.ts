import type { ToolError } from "../../catalog/errors.ts";
import { LeftError } from "../../checks/fix/left-error.ts";
import { codeOf, isUsageReason, reasonOf } from "../../lib/system-error.ts";
import { usageError } from "./usage-error.ts";
import { visible } from "./visible.ts";

/** A failure of the machine, not a usage error: exit status 3. */
export class MachineError extends Error {}

/** Makes the error for a file that cannot be read: a usage error, or a failure of the machine. */
export const unreadable = (path: string, error: unknown): ToolError | MachineError =>
  toError(`${toShown(path)} cannot be read: ${reasonOf(error)}`, error);

/** Makes the error for a file that cannot be written. */
export const unwritable = (path: string, error: unknown): ToolError | MachineError =>
  toError(
    `${toShown(path)} cannot be written: ${codeOf(error) === "ENOENT" ? "there is no such folder" : reasonOf(error)}`,
    error,
  );

const toShown = (path: string): string => (path === "" ? "An empty name" : visible(path));

const toError = (message: string, error: unknown): ToolError | MachineError =>
  isUsageReason(error) || error instanceof LeftError ? usageError(message) : new MachineError(message);
