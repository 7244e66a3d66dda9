/**
 * The reason why a file is not checked: the folder that contains it, its kind, or that Git ignores it. `lfs-pointer` stands for a file that
 * Git LFS keeps elsewhere; `no-check` for a named file that no check is for, and `binary` for a file that is no text, where a check reads any text.
 */
export type LeftOutReason =
  | ".git"
  | "node_modules"
  | "folder-link"
  | "broken-link"
  | "link"
  | "special-file"
  | "submodule"
  | "lfs-pointer"
  | "ignored"
  | "ignored-folder"
  | "no-check"
  | "binary";

export interface LeftOut {
  reason: LeftOutReason;
  files: number;
  /** Set if counting stopped early. */
  atLeast?: true;
  /** Their names, where these matter: submodules and pointers of Git LFS. */
  names?: readonly string[];
}

/** Counts files that are left out. */
export interface LeftOutCount {
  add(reason: LeftOutReason, name: string): void;
  /** By reason, in alphabetical order. */
  all(): LeftOut[];
}

const named: readonly LeftOutReason[] = ["submodule", "lfs-pointer"];

export function createLeftOutCount(): LeftOutCount {
  const found = new Map<LeftOutReason, string[]>();
  return {
    add(reason, name) {
      const names = found.get(reason);
      if (names === undefined) found.set(reason, [name]);
      else names.push(name);
    },
    all: () =>
      [...found]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([reason, names]) => ({
          reason,
          files: names.length,
          ...(named.includes(reason) && { names: names.toSorted() }),
        })),
  };
}
