/** A path as a pattern: its wildcards are escaped. */
export const toPattern = (path: string): string => path.replaceAll(/[\\*?[\]{}()!+@|]/g, String.raw`\$&`);

/**
 * Names files by as few patterns as possible: a folder whose files of the kind are all among them stands for them, and others are
 * named one by one.
 * @param all The files of the kind, the named ones among them.
 * @param toFolder Converts a folder to its pattern.
 */
export function shorten(
  named: readonly string[],
  all: readonly string[],
  toFolder: (folder: string, files: readonly string[]) => string[],
): string[] {
  const [count, total] = [countBelow(named), countBelow(all)];
  const whole = new Map<string, string[]>();
  const single: string[] = [];
  for (const path of named) {
    const folder = foldersOf(path).find(
      (one) => (count.get(one) ?? 0) > 1 && count.get(one) === total.get(one),
    );
    if (folder === undefined) single.push(toPattern(path));
    else append(whole, folder, path);
  }
  return [
    ...[...whole].flatMap(([folder, files]) => toFolder(toPattern(folder), files)),
    ...single,
  ].toSorted();
}

function append(lists: Map<string, string[]>, key: string, item: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Folders above a file, the outermost first. */
function foldersOf(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

function countBelow(paths: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths)
    for (const folder of foldersOf(path)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return counts;
}
