import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { questions } from "./graphql-questions.ts";
import { createLoad } from "./load.ts";
import { createKey, installPeers, openPeer, openPenknife, penknifeCommand } from "./open.ts";

/**
 * Profiles a small request: `node test/bench/profile.ts [penknife|bare|h3|…] [--seconds 5] [--top 40]`,
 * or an operation of GraphQL: `… [penknife|graphql-yoga|…] --graphql viewer`.
 * penknife runs from its sources, so that names and lines are those of the files.
 */
interface Frame {
  functionName: string;
  url: string;
  lineNumber: number;
}

interface Profile {
  nodes: { id: number; callFrame: Frame; children?: number[] }[];
  samples: number[];
  /** Microseconds since the sample before; the first since `startTime`, which is on the clock of process.hrtime. */
  timeDeltas: number[];
  startTime: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "5" },
    top: { type: "string", default: "40" },
    graphql: { type: "string" },
  },
});
const [name = "penknife"] = positionals;
const asked = questions.find((question) => question.name === values.graphql)?.post;
const folder = mkdtempSync(join(tmpdir(), "penknife-profile-"));
const profiles = join(folder, "profiles");
const ownFile = /\/((?:src|test\/bench\/peers)(?:\/[^/]+)*)\/[^/]+\.ts$/;
const options = ["--cpu-prof", "--cpu-prof-interval=250", `--cpu-prof-dir=${profiles}`];

try {
  await installPeers();
  const server = await openProfiled();
  let loadedAt = 0;
  let measured = 0;
  try {
    const load = await createLoad(folder);
    await load.run(server, 2, asked);
    loadedAt = Number(process.hrtime.bigint() / 1000n);
    const { requests, seconds, failures } = await load.run(server, Number(values.seconds), asked);
    measured = requests;
    process.stdout.write(
      `${name}: ${Math.round(requests / seconds)} req/s while profiled, ${failures} failures, ${load.name}\n\n`,
    );
  } finally {
    await server.close();
  }
  const file = mainThreadProfile(server.pid);
  report(JSON.parse(readFileSync(join(profiles, file), "utf8")) as Profile, loadedAt, measured);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function openProfiled(): ReturnType<typeof openPeer> {
  if (name !== "penknife") return openPeer(name, folder, createKey(), options, {}, asked);
  // penknife refuses to run with NODE_OPTIONS, so that the options precede its file.
  const [program = "", ...args] = penknifeCommand(true);
  return openPenknife(folder, [program, ...options, ...args]);
}

/** CPU.<date>.<time>.<pid>.<thread>.<number>.cpuprofile; the main thread is thread 0. */
function mainThreadProfile(pid: number): string {
  const files = readdirSync(profiles);
  const found = files.find((file) => new RegExp(`\\.${pid}\\.0\\.\\d+\\.cpuprofile$`).test(file));
  if (found === undefined) throw new Error(`No profile of process ${pid} among ${files.join(", ")}`);
  return found;
}

/** Reports the samples since `from` (microseconds), so that neither the start nor the warm-up is among them. */
function report({ nodes, samples, timeDeltas, startTime }: Profile, from: number, requests: number): void {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const callers = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const owners = new Map<string, number>();
  const self = new Map<string, number>();
  const inclusive = new Map<string, number>();
  let busy = 0;
  let time = startTime;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    const micros = timeDeltas[index] ?? 0;
    time += micros;
    if (frame === undefined || frame.functionName === "(idle)" || time < from) continue;
    busy += micros;
    add(owners, ownerOf(frame), micros);
    add(self, toPlace(frame), micros);
    for (const place of ownPlaces(id, frames, callers)) add(inclusive, place, micros);
  }
  print("whose code", owners, busy, requests);
  print("self time", self, busy, requests);
  print("own functions with what they call", inclusive, busy, requests);
}

/** The functions of penknife on the stack, each once. */
function ownPlaces(
  id: number,
  frames: ReadonlyMap<number, Frame>,
  callers: ReadonlyMap<number, number>,
): ReadonlySet<string> {
  const places = new Set<string>();
  for (let at: number | undefined = id; at !== undefined; at = callers.get(at)) {
    const frame = frames.get(at);
    if (frame !== undefined && ownFile.test(frame.url)) places.add(toPlace(frame));
  }
  return places;
}

function toPlace({ functionName, url, lineNumber }: Frame): string {
  const called = functionName || "(anonymous)";
  return url === "" ? called : `${called} ${toShort(url)}:${lineNumber + 1}`;
}

function add(sums: Map<string, number>, key: string, micros: number): void {
  sums.set(key, (sums.get(key) ?? 0) + micros);
}

/** Returns the package, the folder of penknife, "node" or the engine that a function belongs to. */
function ownerOf({ url, functionName }: Frame): string {
  const dependency = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (dependency !== undefined) return dependency;
  if (url.startsWith("node:")) return "node";
  if (url === "") return functionName.startsWith("(") ? functionName : "engine";
  return ownFile.exec(url)?.[1] ?? toShort(url);
}

function toShort(url: string): string {
  return url.replace(/^file:\/\/.*?\/(?=(?:src|test|node_modules|dist)\/)/, "");
}

function print(title: string, sums: ReadonlyMap<string, number>, busy: number, requests: number): void {
  process.stdout.write(`${title}: share of the busy time, microseconds a request\n`);
  const rows = [...sums].toSorted((a, b) => b[1] - a[1]).slice(0, Number(values.top));
  for (const [row, micros] of rows)
    process.stdout.write(
      `${((100 * micros) / busy).toFixed(1).padStart(6)} % ${(micros / requests).toFixed(2).padStart(7)}  ${row}\n`,
    );
  process.stdout.write("\n");
}
