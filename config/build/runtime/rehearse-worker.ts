import { runAsset } from "../../../src/lib/asset.ts";
import { writeCaches } from "./write-caches.ts";

// The same for a worker thread, which gets no signals: it writes its caches again and again, and at its end.
runAsset("worker-main");
setInterval(() => writeCaches(), 250).unref();
process.once("exit", () => writeCaches());
