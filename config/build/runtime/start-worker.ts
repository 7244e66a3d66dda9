import { runAsset } from "../../../src/lib/asset.ts";

// What a worker thread evaluates: the worker itself is an asset beside a code cache, like the main script.
runAsset("worker-main");
