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
  subscribe("http.server.response.finish", answered);
  runAsset("main");
  process.once("exit", writeLoaded);
}

function answered(): void {
  unsubscribe("http.server.response.finish", answered);
  process.removeListener("exit", writeLoaded);
  writeLoaded();
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
