import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Host } from "../../host.ts";

/** The root folder of the sources, to which paths in annotations and alerts are relative. */
export interface SourceRoot {
  /** Absolute. */
  path: string;
  /** Returns the absolute path of a file and, if it is below the root, its relative path; both with forward slashes. */
  locate(name: string): { absolute: string; inside?: string };
}

/**
 * GitHub resolves relative paths from the root of the repository (GITHUB_WORKSPACE), whatever the working directory of a
 * step is. Elsewhere the root is the current folder.
 */
export function createSourceRoot({ env, files: { cwd } }: Host): SourceRoot {
  const workspace = env.GITHUB_WORKSPACE ?? "";
  const path = isAbsolute(workspace) && isBelow(relative(workspace, cwd)) ? resolve(workspace) : cwd;
  return {
    path,
    locate(name) {
      const absolute = resolve(cwd, name);
      const below = relative(path, absolute);
      return {
        absolute: withSlashes(absolute),
        ...(isBelow(below) && { inside: withSlashes(below) }),
      };
    },
  };
}

const isBelow = (path: string): boolean => path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);

const withSlashes = (path: string): string => path.replaceAll(sep, "/");
