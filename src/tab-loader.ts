// The script of a tab's worker. The policy of its response allows no request, not even of scripts: they come from the page
// as blobs. What is typed into the page cannot leave through a tool, whatever the tool does.

/** A message from the page to the loader. All other messages are for the script `tab`. */
export type LoaderRequest =
  /** For each script, those that it requires. The first message. */
  | { kind: "start"; requirements: Readonly<Record<string, readonly string[]>>; entry: string }
  | { kind: "scripts"; scripts: Readonly<Record<string, Blob>> }
  /** A script that the server no longer has. */
  | { kind: "missing"; name: string };

/** A message from the loader to the page. */
export interface LoaderMessage {
  kind: "need";
  /** Scripts to send. */
  names: readonly string[];
}

/** A CommonJS script: a call of `penknifeScript` with its name and this function. */
type Run = (
  exports: object,
  require: (id: string) => object,
  module: { exports: object },
  fetchScript: (id: string) => Promise<void>,
) => void;

/** The scope of a worker, for which this project's types are those of Node. */
interface WorkerScope {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(url: string): string },
    ): { createScriptURL(url: string): string };
  };
  importScripts(url: string): void;
  postMessage(message: LoaderMessage, transfer: []): void;
  addEventListener(type: "message", handle: (event: { data: LoaderRequest }) => void): void;
  penknifeScript(name: string, run: Run): void;
}

const scope = globalThis as unknown as WorkerScope;
const rules = {
  createScriptURL(url: string): string {
    if (!url.startsWith("blob:")) throw new TypeError("Only scripts that the page has fetched run here");
    return url;
  },
};
const policy = scope.trustedTypes?.createPolicy("penknife", rules) ?? rules;

let requirements: Readonly<Record<string, readonly string[]>> = {};
const runs = new Map<string, Run>();
const modules = new Map<string, { exports: object }>();
const asked = new Map<string, { promise: Promise<void>; resolve(): void; reject(error: Error): void }>();

const nameOf = (id: string): string => id.slice("./".length, -".js".length);

function require(id: string): object {
  const name = nameOf(id);
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const run = runs.get(name);
  if (run === undefined) throw new Error(`The script ${name} was not fetched`);
  const module = { exports: {} };
  modules.set(name, module);
  run(module.exports, require, module, fetchScript);
  return module.exports;
}

/** Waits until a script and those that it requires are here. */
async function fetchScript(id: string): Promise<void> {
  const missing = [...withRequired(nameOf(id))].filter((name) => !runs.has(name));
  const names = missing.filter((name) => !asked.has(name));
  for (const name of names) asked.set(name, Promise.withResolvers<void>());
  if (names.length > 0) scope.postMessage({ kind: "need", names }, []);
  await Promise.all(missing.map((name) => asked.get(name)?.promise));
}

function withRequired(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const required of requirements[name] ?? []) withRequired(required, found);
  return found;
}

/** A browser that is short of memory may fail to read a blob that it reads a moment later. */
const maxAttempts = 3;

function evaluate(name: string, script: Blob): void {
  if (runs.has(name)) return;
  for (let attempt = 1; !load(script, attempt === maxAttempts); attempt++);
  asked.get(name)?.resolve();
}

/** Returns whether the browser could read a script. @throws whatever the script throws */
function load(script: Blob, isLast: boolean): boolean {
  const url = URL.createObjectURL(script);
  try {
    scope.importScripts(policy.createScriptURL(url));
    return true;
  } catch (error) {
    if (isLast || (error as Error).name !== "NetworkError") throw error;
    return false;
  } finally {
    URL.revokeObjectURL(url);
  }
}

scope.penknifeScript = (name, run) => runs.set(name, run);
scope.addEventListener("message", ({ data }) => {
  if (data.kind === "start") {
    ({ requirements } = data);
    const entry = `./${data.entry}.js`;
    // The page knows of a script that is missing, and ends this worker.
    void fetchScript(entry).then(
      () => require(entry),
      () => undefined,
    );
  } else if (data.kind === "scripts") {
    for (const [name, script] of Object.entries(data.scripts)) evaluate(name, script);
  } else if (data.kind === "missing") {
    asked.get(data.name)?.reject(new Error(`The script ${data.name} is missing`));
    asked.delete(data.name);
  }
});
