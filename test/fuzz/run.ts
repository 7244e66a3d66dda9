import { emptyFolder, issueKey, serve } from "../e2e/harness.ts";
import { fuzz } from "./fuzz.ts";

// Feeds a server with noise until it is interrupted, and prints every fault with what it takes to see it again.
const seed = Number(process.argv[2] ?? Date.now() % 1_000_000_000);
const folder = emptyFolder();
const server = await serve(folder.path, { PENKNIFE_TOOLS_DEADLINE_MS: "2000", PENKNIFE_LOG_LEVEL: "error" });
const key = await issueKey(folder.path, "fuzz", "team", ["--limit", "100000000"]);
process.stdout.write(`seed ${seed}; stop with Ctrl-C\n`);
let faults = 0;
process.once("SIGINT", () => {
  process.stdout.write(`\n${faults} faults\n${server.stdout()}`);
  void stop();
});
let stopping = false;

async function stop(): Promise<void> {
  stopping = true;
  const status = await server.stop();
  folder.remove();
  process.exit(faults > 0 || status !== 0 ? 1 : 0);
}

await fuzz({
  server,
  key,
  seed,
  patience: 9000,
  onFault(fault) {
    if (stopping) return;
    faults++;
    process.stdout.write(`${JSON.stringify(fault, null, 2)}\n`);
  },
  onProgress: (runs, bytes) =>
    process.stdout.write(`\r${runs} calls, ${faults} faults, ${Math.round(bytes / 1_048_576)} MiB `),
});
