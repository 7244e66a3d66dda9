import { Agent, get } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import { proportionalBytes } from "./watch.ts";

const { pid, origin, localAddress, state, healthMs, memoryMs } = workerData as {
  pid: number;
  origin: string;
  localAddress: string;
  state: SharedArrayBuffer;
  healthMs: number;
  memoryMs: number;
};
const [highest, silence, healthy, failed] = [0, 1, 2, 3];
const numbers = new Float64Array(state);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let asked: number | undefined;
let stopping = false;

const note = (): void => {
  if (asked !== undefined) numbers[silence] = Math.max(numbers[silence] ?? 0, performance.now() - asked);
};

function ask(): void {
  asked = performance.now();
  const end = (cell: number): void => {
    note();
    asked = undefined;
    numbers[cell] = (numbers[cell] ?? 0) + 1;
    if (!stopping) setTimeout(ask, healthMs);
  };
  get(`${origin}/healthz`, { agent, localAddress }, (answer) => {
    answer.resume().once("end", () => end(answer.statusCode === 200 ? healthy : failed));
  }).once("error", () => end(failed));
}

const looking = setInterval(() => {
  numbers[highest] = Math.max(numbers[highest] ?? 0, proportionalBytes(pid));
}, memoryMs);
const listening = setInterval(note, healthMs);
ask();
parentPort?.once("message", () => {
  stopping = true;
  clearInterval(looking);
  clearInterval(listening);
  note();
  process.exit(0);
});
parentPort?.postMessage("started", []);
