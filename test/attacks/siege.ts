import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { atHand, readCorpusFile } from "../unit/corpora/corpus.ts";
import { call, callTool, penknife, type Server } from "../system/e2e/harness.ts";
import type { Attack, Target } from "./attacks.ts";
import { watch, type Watched } from "./watch.ts";

export interface SiegeReport extends Watched {
  /** The number of correct answers of the main job, and the text of every other answer. */
  right: number;
  wrong: string[];
  /** Attacks during which the main job got no correct answer. */
  stalled: string[];
  /** For each attack: highest MiB, longest silence in milliseconds, and duration in seconds. */
  course: { name: string; mib: number; silentMs: number; seconds: number }[];
}

/** Bytes that the server and its children may use with the default settings. */
export const maxBytes = 900 * 1_048_576;

/**
 * Runs the main job (a key formats real documents, one call after the other) and, beside it, every attack, one after
 * the other. Ends with the last attack, or when the server has ended.
 * @param pauseMs How long the main job rests after a call.
 */
export async function besiege(
  target: Target,
  jobKey: string,
  attacks: readonly Attack[],
  pauseMs = 40,
): Promise<SiegeReport> {
  const { server } = target;
  const watching = await watch(server.child.pid ?? 0, server.url);
  const wrong: string[] = [];
  const stalled: string[] = [];
  const course: SiegeReport["course"] = [];
  let right = 0;
  let going = true;
  const job = (async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const documents = documentsOfTheJob();
    for (let count = 0; going && isUp(server); count++) {
      const { text, expected } = documents[count % documents.length] as Document;
      const outcome = await format(server, jobKey, text, agent).catch((error: unknown) => String(error));
      if (outcome === expected) right++;
      else wrong.push(outcome.slice(0, 300));
      await sleep(pauseMs);
    }
    agent.destroy();
  })();
  for (const [index, attack] of attacks.entries()) {
    const before = right;
    const began = performance.now();
    watching.reset();
    await attack.run(target, `127.${10 + Math.floor(index / 200)}.${1 + (index % 200)}.7`);
    const { highestBytes, longestSilenceMs } = watching.now();
    course.push({
      name: attack.name,
      mib: Math.round(highestBytes / 1_048_576),
      silentMs: Math.round(longestSilenceMs),
      seconds: Math.round((performance.now() - began) / 1000),
    });
    if (!isUp(server)) {
      wrong.push(`the server ended during: ${attack.name}`);
      break;
    }
    // A call may start before the attack and end in it, or start in it and end afterwards.
    if (right === before) await sleep(1000);
    if (right === before) stalled.push(attack.name);
  }
  going = false;
  await job;
  return { ...(await watching.stop()), right, wrong, stalled, course };
}

const isUp = ({ child }: Server): boolean => child.exitCode === null && child.signalCode === null;

interface Document {
  text: string;
  expected: string;
}

/** Real documents from the corpora; where these are not downloaded, generated ones of similar size and structure. */
function documentsOfTheJob(): Document[] {
  const texts = atHand
    ? ["github_events", "twitter"].map((name) => readCorpusFile(`benchmark/${name}.json`).toString())
    : [60, 600].map((count) =>
        JSON.stringify(
          Array.from({ length: count }, (_, id) => ({
            id,
            text: `Nachricht ${id} 一 😀`,
            tags: ["a", "b"],
            at: null,
          })),
        ),
      );
  return ['{"a":[1,2,{"b":null}]}', ...texts].map((text) => ({
    text,
    expected: JSON.stringify(JSON.parse(text), null, 2),
  }));
}

async function format(server: Server, key: string, data: string, agent: Agent): Promise<string> {
  const reply = await callTool(server, "json-formatter", { data }, key, { agent });
  const { result } = JSON.parse(reply.text) as { result?: string };
  return result ?? `${reply.status} ${reply.text}`;
}

/** Creates an inbox and returns its public URL. */
export async function createInbox(folder: string, server: Server, key: string): Promise<string> {
  const { status, stdout, stderr } = await penknife(
    folder,
    ["inbox", "create", "--name", "siege", "--json"],
    {
      env: { PENKNIFE_URL: server.url, PENKNIFE_KEY: key },
    },
  );
  if (status !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { url: string }).url;
}

/** Returns the requests counted for an account in the current window. */
export async function usedBy(server: Server, key: string): Promise<number> {
  const { headers } = await call(`${server.url}/api/tools/uuid-generator`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: "{}",
  });
  return Number(headers["x-ratelimit-limit"]) - Number(headers["x-ratelimit-remaining"]);
}
