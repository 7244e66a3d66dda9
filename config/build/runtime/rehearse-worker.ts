import { runAsset } from "../../../src/lib/asset.ts";
import { writeCaches } from "./write-caches.ts";

// Rehearsal of a worker thread. It receives no signals, so it writes its caches periodically and at its end.
runAsset("worker-main");
setInterval(() => writeCaches(), 250).unref();
process.once("exit", () => writeCaches());
