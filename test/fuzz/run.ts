import { attacks } from "../attacks/attacks.ts";
import { besiege, createInbox, maxBytes } from "../attacks/siege.ts";
import { watch, type Watched } from "../attacks/watch.ts";
import { emptyFolder, issueKey, type Server, serve } from "../system/e2e/harness.ts";
import { fuzz } from "./fuzz.ts";

// `make fuzz`: sends noise to every tool over every surface, and between its parts every attack, until Ctrl-C or for the
// seconds given. The server runs with its defaults, and is restarted if it ends.
const [seconds = "", givenSeed = ""] = process.argv.slice(2);
const seed = Number(givenSeed || Date.now() % 1_000_000_000);
const callsAPart = 3000;
const folder = emptyFolder();
const report = {
  seed,
  calls: 0,
  attacks: 0,
  faults: 0,
  /** The number of times that the server process ended by itself. */
  ends: 0,
  highestMiB: 0,
  longestSilenceMs: 0,
  healthy: 0,
  unhealthy: 0,
};
const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort());
const timer = seconds === "" ? undefined : setTimeout(() => interrupted.abort(), Number(seconds) * 1000);
const fault = (what: string): void => {
  report.faults++;
  process.stdout.write(`\n${what}\n`);
};

let server = await start();
const key = await issueKey(folder.path, "fuzz", "team", ["--limit", "100000000"]);
const job = await issueKey(folder.path, "job", "team", ["--limit", "100000000"]);
process.stdout.write(`seed ${seed}; stop with Ctrl-C\n`);
for (let part = 0; !interrupted.signal.aborted; part++) {
  const watching = await watch(server.child.pid ?? 0, server.url);
  const before = report.calls;
  await fuzz({
    server,
    key,
    runs: callsAPart,
    seed: seed + part * callsAPart,
    // Twice the deadline, because a call may wait for a worker as long, with room for a busy machine.
    patience: 20_000,
    signal: interrupted.signal,
    onFault: (found) => fault(JSON.stringify(found, null, 2)),
    onProgress(runs) {
      report.calls = before + runs;
      process.stdout.write(
        `\r${report.calls} calls, ${report.faults} faults, ${report.ends} ends, ${report.highestMiB} MiB `,
      );
      if (server.child.exitCode !== null || server.child.signalCode !== null) fault("the server has ended");
    },
  }).catch((error: unknown) => fault(String(error)));
  add(await watching.stop());
  await startAgain();
  if (interrupted.signal.aborted) break;
  const inbox = await createInbox(folder.path, server, key);
  const siege = await besiege({ server, key, inbox }, job, attacks);
  report.attacks += attacks.length;
  for (const what of [...siege.wrong, ...siege.stalled.map((name) => `no answer during: ${name}`)])
    fault(what);
  add(siege);
  await startAgain();
}
clearTimeout(timer);
const status = await server.stop();
folder.remove();
process.stdout.write(`\n${JSON.stringify(report, null, 2)}\n`);
const bad = report.faults > 0 || report.ends > 0 || status !== 0 || report.highestMiB * 1_048_576 > maxBytes;
process.exit(bad ? 1 : 0);

function start(): Promise<Server> {
  return serve(folder.path, { PENKNIFE_LOG_LEVEL: "error" });
}

async function startAgain(): Promise<void> {
  const { exitCode, signalCode } = server.child;
  if (exitCode === null && signalCode === null) return;
  report.ends++;
  fault(
    `the server ended with ${String(exitCode ?? signalCode)}: ${server.stderr().slice(-2000)}${server.stdout().slice(-2000)}`,
  );
  server = await start();
}

function add({ highestBytes, longestSilenceMs, healthy, failed }: Watched): void {
  report.highestMiB = Math.max(report.highestMiB, Math.round(highestBytes / 1_048_576));
  report.longestSilenceMs = Math.max(report.longestSilenceMs, Math.round(longestSilenceMs));
  report.healthy += healthy;
  report.unhealthy += failed;
}
