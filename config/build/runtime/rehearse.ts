import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { evaluated, runAsset } from "../../../src/lib/asset.ts";
import { compilePatterns } from "./patterns.ts";
import { write, writeCaches } from "./write-caches.ts";

// The main script of the executable that the build runs once to learn which functions are needed. The scripts of a
// start get V8's cache of what the first answer took and no more: it is read before every first answer. The others
// get theirs on SIGUSR2, when they have been used.
let start: ReadonlySet<string> = new Set();
subscribe("http.server.response.finish", answered);
compilePatterns();
runAsset("main");
process.on("SIGUSR2", () => {
  writeCaches(start);
  write("done", "");
});

function answered(): void {
  unsubscribe("http.server.response.finish", answered);
  // What a start evaluates and loads, for the test that keeps it little.
  const { moduleLoadList } = process as unknown as { moduleLoadList: string[] };
  const builtins = moduleLoadList.flatMap((entry) => /^NativeModule (.+)$/.exec(entry)?.[1] ?? []);
  write("start.json", JSON.stringify({ scripts: [...evaluated.keys()], builtins }));
  writeCaches(start);
  start = new Set(evaluated.keys());
}
