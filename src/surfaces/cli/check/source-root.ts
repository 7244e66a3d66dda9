import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Host } from "../host.ts";

/** The top folder of the sources: what the paths in an annotation or an alert are relative to. */
export interface SourceRoot {
  /** Absolute. */
  path: string;
  /** The absolute path of a file, and the one from the root where the file is below it; both with forward slashes. */
  locate(name: string): { absolute: string; inside?: string };
}

/**
 * GitHub reads a relative path as one from the top of the repository, wherever a step has its working-directory;
 * GITHUB_WORKSPACE says where that is. Everywhere else the root is the folder that the command was started in.
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
