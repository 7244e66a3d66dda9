import { executable, readAsset, runAsset } from "./asset.ts";

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
