// Entry of a thread of its own: performs calls on a database, so that the event loop of a server never waits for the disk.
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { performAll } from "./calls.ts";
import { openDatabase } from "./database.ts";
import { type FromThread, type ToThread, toSent } from "./messages.ts";

if (parentPort === null) throw new Error("this file is the entry of a thread");
const port = parentPort;
const { file } = workerData as { file: string };
const post = (message: FromThread): void => port.postMessage(message);

try {
  const database = openDatabase(file);
  post({ act: "opened" });
  port.on("message", (first: ToThread) => {
    const waiting = [first];
    // What arrived while the last transaction was synced shares the next one.
    for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port))
      waiting.push(more.message as ToThread);
    const calls = waiting.flatMap((message) => (message.act === "call" ? message.calls : []));
    for (const outcomes of performAll(database, calls))
      post({ act: "answer", outcomes: outcomes.map(toSent) });
    if (!waiting.some(({ act }) => act === "close")) return;
    database.close();
    post({ act: "closed" });
    port.close();
  });
} catch (error) {
  post({ act: "failed", outcome: toSent({ error }) });
  port.close();
}
