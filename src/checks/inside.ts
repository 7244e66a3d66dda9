import { isAbsolute, relative, sep } from "node:path";

/** Reports whether a path is a folder or something in it. Both are absolute. */
export function isInside(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}
