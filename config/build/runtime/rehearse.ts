import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { evaluated, runAsset } from "../../../src/lib/asset.ts";
import { sandboxWord } from "../../../src/lib/sandbox.ts";
import { prepare, write, writeCaches } from "./write-caches.ts";

// The main script of the executable that the build runs once to learn which functions are needed. The scripts of a
// start get V8's cache of what the first answer took and no more: it is read before every first answer. The others
// get theirs on SIGUSR2, when they have been used, or when a command ends.
let start: ReadonlySet<string> = new Set();
if (process.argv[2] === sandboxWord) {
  // A worker process may write no file: what it would learn, a thread learns.
  runAsset("worker-main");
} else {
  prepare();
  subscribe("http.server.response.finish", answered);
  runAsset("main");
  process.once("exit", () => {
    writeStart();
    writeCaches();
  });
  process.on("SIGUSR2", () => {
    writeCaches(start);
    write("done", "");
  });
}

function answered(): void {
  unsubscribe("http.server.response.finish", answered);
  writeStart();
  writeCaches(start);
  start = new Set(evaluated.keys());
}

/** Writes what was evaluated and loaded until now, for the test that keeps it little. */
function writeStart(): void {
  const { moduleLoadList } = process as unknown as { moduleLoadList: string[] };
  const builtins = moduleLoadList.flatMap((entry) => /^NativeModule (.+)$/.exec(entry)?.[1] ?? []);
  write("start.json", JSON.stringify({ scripts: [...evaluated.keys()], builtins }));
}
