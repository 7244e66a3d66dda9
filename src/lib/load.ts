import { executable, readAsset, runAsset } from "./asset.ts";
import { sandboxOptions, sandboxWord } from "./sandbox.ts";

/**
 * The heavy libraries, each loaded by the first that asks. This is the only list: the build makes one asset of each,
 * which main thread and workers share. In a source tree each is an ordinary `import()`.
 */
export const libraries = {
  cronstrue: () => import("cronstrue"),
  diff: () => import("diff"),
  entities: () => import("entities"),
  graphql: () => import("graphql"),
  jose: () => import("jose"),
  jsonata: () => import("jsonata"),
  "prom-client": () => import("prom-client"),
  re2js: () => import("re2js"),
  semver: () => import("semver"),
  "sql-formatter": () => import("sql-formatter"),
  uqr: () => import("uqr"),
  yaml: () => import("yaml"),
};

export type Library = keyof typeof libraries;

const loaded = new Map<Library, unknown>();

/** Loads a heavy library; the second time costs a look-up. */
export async function load<Name extends Library>(
  name: Name,
): Promise<Awaited<ReturnType<(typeof libraries)[Name]>>> {
  let found = loaded.get(name);
  if (found === undefined) {
    found = executable ? runAsset(`library/${name}`) : await libraries[name]();
    loaded.set(name, found);
  }
  return found as Awaited<ReturnType<(typeof libraries)[Name]>>;
}

/** The worker's code: a string for `new Worker(source, { eval: true })` in the executable, a file in a source tree. */
export function workerSource(): string | URL {
  return executable ? readAsset("worker") : new URL("../worker.ts", import.meta.url);
}

/** How a worker process is started: the executable itself, or Node with the file in a source tree. */
export function workerCommand(memoryMb: number): {
  command: string;
  args: string[];
  env: Record<string, string>;
} {
  const options = sandboxOptions(memoryMb);
  if (executable) {
    // The file may have been replaced by a newer one while this runs.
    const command = process.platform === "linux" ? "/proc/self/exe" : process.execPath;
    // The executable takes options of Node only from the environment.
    return { command, args: [sandboxWord], env: { NODE_OPTIONS: options.join(" ") } };
  }
  const readable = ["../", "../../node_modules/", "../../package.json"].map(
    (path) => `--allow-fs-read=${new URL(path, import.meta.url).pathname}`,
  );
  const file = new URL("../worker.ts", import.meta.url).pathname;
  return {
    command: process.execPath,
    args: [...options, "--disable-sigusr1", ...readable, file, sandboxWord],
    env: {},
  };
}
