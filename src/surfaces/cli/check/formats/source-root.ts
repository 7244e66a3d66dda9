import { isAbsolute, relative, resolve, sep } from "node:path";
import { isInside } from "../../../../checks/inside.ts";
import { findRoot } from "../../../../checks/repository.ts";
import type { Host } from "../../host.ts";

/** The root folder of the sources, to which paths in annotations and alerts are relative. */
export interface SourceRoot {
  /** Absolute. */
  path: string;
  /** Returns the absolute path of a file and, if it is below the root, its relative path; both with forward slashes. */
  locate(name: string): { absolute: string; inside?: string };
}

/**
 * GitHub and GitLab resolve relative paths from the root of the repository, whatever the working directory of a step is. They
 * name it; elsewhere it is the nearest folder with an entry `.git`, or else the current folder.
 */
export function createSourceRoot({ env, files }: Pick<Host, "env" | "files">): SourceRoot {
  const { cwd } = files;
  const named = [env.GITHUB_WORKSPACE, env.CI_PROJECT_DIR].find(
    (folder = "") => isAbsolute(folder) && isInside(folder, cwd),
  );
  const path = named === undefined ? (findRoot(cwd, files) ?? cwd) : resolve(named);
  return {
    path,
    locate(name) {
      const absolute = resolve(cwd, name);
      const below = relative(path, absolute);
      return {
        absolute: withSlashes(absolute),
        ...(isInside(path, absolute) && { inside: withSlashes(below) }),
      };
    },
  };
}

const withSlashes = (path: string): string => path.replaceAll(sep, "/");
