import { runAsset } from "../../../src/lib/asset.ts";
import { sandboxWord } from "../../../src/lib/sandbox.ts";

// The executable's main script. The program itself is an asset beside a code cache of all its functions, so that V8 compiles
// nothing at start; SEA's own `useCodeCache` holds top-level code only.
if (process.argv[2] === sandboxWord) {
  runAsset("worker-main");
} else {
  runAsset("main");
}
