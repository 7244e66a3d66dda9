import { workerData } from "node:worker_threads";
import { runAsset } from "../../../src/lib/asset.ts";

// A thread evaluates a worker or the script that its starter names: an asset beside a code cache, like the main script.
const { script = "worker-main" } = (workerData ?? {}) as { script?: string };
runAsset(script);
