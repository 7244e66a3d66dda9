/** Reports whether a path leads into `.git`, under any of the names that a file system may take for that one. */
export const isInDotGit = (path: string): boolean => path.split("/").some(isDotGit);

/**
 * Reports whether a name, or a part of it that Windows takes for one, is `.git` on some file system: the rules of Git's
 * protectHFS (`is_hfs_dotgit`) and protectNTFS (`is_ntfs_dotgit`) together, with every number of a short name.
 */
export const isDotGit = (name: string): boolean =>
  name
    .replace(ignoredByHfs, "")
    .split("\\")
    .some((part) => alias.test(part));

const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * NTFS ignores dots and spaces at the end of a name, and a colon begins the name of a stream. A lone surrogate stands for a byte
 * that is not UTF-8, where Git ends a name of HFS+.
 */
const alias = /^(?:\.git|git~\d+)[. ]*(?:$|[:\ud800-\udfff])/iu;
