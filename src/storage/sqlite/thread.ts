// Entry of a thread of its own: performs calls on databases, so that the event loop of a server never waits for the disk.
import { join } from "node:path";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { historyFile, recordsFile } from "../folder.ts";
import { openHistoryDatabase } from "../history/database.ts";
import { type Outcome, performAll, type Target } from "./calls.ts";
import { openDatabase } from "./database.ts";
import { type FromThread, type Lane, type ToThread, toSent } from "./messages.ts";

if (parentPort === null) throw new Error("this file is the entry of a thread");
const port = parentPort;
const { folder } = workerData as { folder: string };
const post = (message: FromThread): void => port.postMessage(message);

try {
  const records = openDatabase(join(folder, recordsFile));
  // Most starts need no history for a while, and what is wrong with it concerns nobody else.
  let history: Target<never> | undefined;
  const open: Record<Lane, () => Target<never>> = {
    records: () => records,
    history: () => (history ??= openHistoryDatabase(join(folder, historyFile))),
  };
  post({ act: "opened" });
  port.on("message", (first: ToThread) => {
    const waiting = [first];
    // What arrived while the last transaction was synced shares the next one.
    for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port))
      waiting.push(more.message as ToThread);
    // Records first: somebody waits for each of these.
    for (const lane of ["records", "history"] as const) {
      const calls = waiting.flatMap((one) => (one.act === "call" && one.lane === lane ? one.calls : []));
      for (const outcomes of performIn(open[lane], calls))
        post({ act: "answer", lane, outcomes: outcomes.map(toSent) });
    }
    if (!waiting.some(({ act }) => act === "close")) return;
    records.close();
    history?.close();
    post({ act: "closed" });
    port.close();
  });
} catch (error) {
  post({ act: "failed", outcome: toSent({ error }) });
  port.close();
}

function performIn(open: () => Target<never>, calls: readonly unknown[]): Iterable<Outcome[]> {
  if (calls.length === 0) return [];
  try {
    return performAll(open(), calls as never[]);
  } catch (error) {
    return [calls.map(() => ({ error }))];
  }
}
