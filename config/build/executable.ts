import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "rolldown";
import { bundle, bundleLibrary, bundleSplit, type Script } from "./bundle.ts";
import { packWithCaches } from "./code-cache.ts";
import { nodePackage, type Package, packagesOf, toLicenseText } from "./packages.ts";
import { type Loaded, type Rehearsal, rehearse, type Rehearsed } from "./rehearse.ts";
import { packScripts } from "./scripts.ts";
import { writeExecutable } from "./sea.ts";
import type { Target } from "./target.ts";

export interface BuildOptions {
  target: Target;
  /** Entry file of the program. */
  main: string;
  /** Files of the program that share a script: see `bundleSplit`. */
  together?: Readonly<Record<string, readonly string[]>>;
  /** Entry file of the workers. */
  worker: string;
  /** Entry files of other threads, by the name of their script. */
  threads?: Readonly<Record<string, string>>;
  /** Files of the worker that share a script. */
  workerTogether?: Readonly<Record<string, readonly string[]>>;
  /** Packages that are loaded on first use. */
  libraries: readonly string[];
  /** The exports that are used of a library, by its name; all unless given. */
  parts?: Readonly<Record<string, readonly string[]>>;
  /** Further assets by their name in `getRawAsset`, and the files that they were made from. */
  assets?: Readonly<Record<string, Uint8Array>>;
  assetFiles?: readonly string[];
  /** Plugins of the bundler for the program and its worker. */
  plugins?: Plugin[];
  version: string;
  commit: string;
  output: string;
  /** Folder for results that later builds reuse. */
  cache: string;
  /** The run of the program by which the build learns what a start evaluates. */
  rehearsal: Rehearsal;
}

export interface Built {
  /** The packages in the executable. */
  packages: Package[];
  /** Characters of each script. */
  scripts: Record<string, number>;
  /** The code that was evaluated before the response to the rehearsal's first request. */
  start: Start;
  /** The code that each command line of the rehearsal evaluated. */
  lines: Rehearsed["lines"];
  /** Messages for the person who builds. */
  notes: string[];
}

export interface Start extends Loaded {
  /** Absolute paths of the source files in these scripts. */
  files: string[];
}

const runtime = new URL("runtime/", import.meta.url).pathname;

/** Bundles a program, its workers and its heavy libraries into one executable file. */
export async function buildExecutable(options: BuildOptions): Promise<Built> {
  const define = {
    PENKNIFE_VERSION: JSON.stringify(options.version),
    PENKNIFE_COMMIT: JSON.stringify(options.commit),
  };
  const { together = {}, workerTogether = {}, threads = {}, plugins = [] } = options;
  const [main, worker, start, startWorker, ...others] = await Promise.all([
    bundleSplit({ name: "main", entry: options.main, define, together, plugins }),
    bundleSplit({
      name: "worker-main",
      entry: options.worker,
      define,
      together: workerTogether,
      plugins,
    }),
    bundle({ entry: `${runtime}start.ts`, define }),
    bundle({ entry: `${runtime}start-worker.ts`, define }),
    ...Object.entries(threads).map(([name, entry]) => bundleSplit({ name, entry, define, plugins })),
  ]);
  const own = new Map([...main, ...worker, ...others.flatMap((scripts) => [...scripts])]);
  const libraries = new Map<string, Script>();
  for (const name of options.libraries)
    libraries.set(`library/${name}`, await bundleLibrary(name, options.parts?.[name]));

  const ownFiles = [...own.values()].flatMap(({ files }) => files);
  for (const name of options.libraries) {
    if (ownFiles.some((file) => file.includes(`/node_modules/${name}/`))) {
      throw new Error(`${name} is imported statically: use load("${name}") of src/lib/load.ts.`);
    }
  }

  const packages = [
    nodePackage(),
    ...packagesOf([
      ...ownFiles,
      ...[...libraries.values()].flatMap(({ files }) => files),
      ...(options.assetFiles ?? []),
    ]),
  ];
  const scripts: Record<string, string> = {};
  for (const [name, { code }] of [...own, ...libraries]) scripts[name] = wrap(code);
  const assets = {
    ...options.assets,
    worker: startWorker.code,
    "licenses.txt": toLicenseText(packages),
  };

  const { target, output, cache } = options;
  const notes: string[] = [];
  let rehearsed: Rehearsed | undefined;
  let packed: Uint8Array;
  if (target.native) {
    packed = packWithCaches(scripts);
    rehearsed = await rehearsal(options, { ...assets, scripts: packed }, define, notes);
  } else {
    packed = packScripts(scripts, {});
    notes.push(
      `made on ${process.platform}-${process.arch}: no code cache inside, so it starts some 15 ms later`,
    );
  }
  const all = { ...assets, scripts: packed };
  notes.push(...writeExecutable({ target, main: start.code, assets: all, output, cache }));
  const sizes = Object.fromEntries(Object.entries(scripts).map(([name, code]) => [name, code.length]));
  const { scripts: names = [], builtins = [] } = rehearsed?.start ?? {};
  const files = names.flatMap((name) => own.get(name)?.files ?? []);
  return {
    packages,
    scripts: sizes,
    start: { scripts: names, files, builtins },
    lines: rehearsed?.lines ?? {},
    notes,
  };
}

/** Builds the executable with a main script that records what it evaluates, and runs it. */
async function rehearsal(
  { target, output, cache, rehearsal: plan }: BuildOptions,
  assets: Record<string, string | Uint8Array>,
  define: Record<string, string>,
  notes: string[],
): Promise<Rehearsed | undefined> {
  mkdirSync(dirname(output), { recursive: true });
  const folder = mkdtempSync(join(dirname(output), ".rehearsal-"));
  try {
    const main = await bundle({ entry: `${runtime}rehearse.ts`, define });
    const program = join(folder, "rehearsal");
    writeExecutable({ target, main: main.code, assets, output: program, cache });
    return await rehearse(program, folder, plan);
  } catch (error) {
    notes.push(`what a start evaluates is not known: ${(error as Error).message}`);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** See runAsset in src/lib/asset.ts. */
function wrap(code: string): string {
  return `(function (exports, require, module) {${code}\n})`;
}
