import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { evaluated, runAsset } from "../../../src/lib/asset.ts";
import { sandboxWord } from "../../../src/lib/sandbox.ts";

// The main script of the executable that the build runs to learn what a start evaluates: until the first answer of a
// server, and until the end of a command.
if (process.argv[2] === sandboxWord) {
  runAsset("worker-main");
} else {
  if (process.argv[2] === "serve") holdTimers();
  subscribe("http.server.response.finish", answered);
  runAsset("main");
  process.once("exit", writeLoaded);
}

function answered(): void {
  unsubscribe("http.server.response.finish", answered);
  process.removeListener("exit", writeLoaded);
  writeLoaded();
}

/** On a busy machine the first request comes after what a server does a moment after its start; here that waits. */
function holdTimers(): void {
  const { setTimeout: later } = globalThis;
  const held = (work: () => void, ms = 0): NodeJS.Timeout => later(work, ms + 20_000);
  globalThis.setTimeout = held as typeof setTimeout;
}

/** Writes the names of scripts and built-in modules beside the program: whole, so that the build never reads half a file. */
function writeLoaded(): void {
  const { moduleLoadList } = process as unknown as { moduleLoadList: string[] };
  const builtins = moduleLoadList.flatMap((entry) => /^NativeModule (.+)$/.exec(entry)?.[1] ?? []);
  const folder = `${dirname(process.execPath)}/learned`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/draft`, JSON.stringify({ scripts: [...evaluated.keys()], builtins }));
  renameSync(`${folder}/draft`, `${folder}/loaded.json`);
}
