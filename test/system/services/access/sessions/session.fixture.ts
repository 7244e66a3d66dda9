// A node of its own that starts and ends sessions as instructed on standard input, to be killed: `session.fixture.ts file FOLDER` or
// `session.fixture.ts redis URL`. A line is `begin CODE`, `end ID` or `who TOKEN`.
import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { createAuth } from "../../../../../src/services/access/auth.ts";
import { createSessions } from "../../../../../src/services/access/sessions/sessions.ts";
import { openStore } from "../../../../../src/storage/storage.ts";
import { testRuntime } from "../../../../support/runtime.ts";

// A process that is killed would not keep what it compiled for the next one.
flushCompileCache();

const [driver = "", place = ""] = process.argv.slice(2);
// Synchronous, so that the line has left the process before anything else happens in it.
const say = (...words: string[]) => writeSync(1, `${words.join(" ")}\n`);

const store = await openStore({
  driver: driver === "redis" ? "redis" : "file",
  path: place,
  runtime: testRuntime({
    now: Date.now,
    monotonic: () => performance.now(),
    random: (size) => randomBytes(size),
  }),
  onError: ({ operation, reason }) => say("error", operation, reason),
  redis: {
    url: place,
    prefix: "penknife:sessions:",
    onStoreError: "share",
    isNode: true,
    mayBegin: false,
    onNotice: () => {},
    onDegraded: () => {},
  },
  pid: process.pid,
});
const sessions = createSessions({
  store,
  runtime: testRuntime({
    now: Date.now,
    monotonic: () => performance.now(),
    random: (size) => randomBytes(size),
  }),
});
const auth = createAuth({ store, anonymous: true, runtime: testRuntime({ now: Date.now }) });

async function obey(line: string): Promise<void> {
  const [order, word = ""] = line.split(" ");
  try {
    if (order === "begin") {
      const { token, record } = await sessions.begin(word);
      say("began", word, record.id, token);
    } else if (order === "end") say("ended", (await sessions.revoke(word)).id);
    else {
      const credentials = {
        authorization: `Bearer ${word}`,
        authorizationCount: 1,
        xApiKey: false,
        ip: "192.0.2.1",
      };
      say("is", word, (await auth.authenticate(credentials)).kind);
    }
  } catch (error) {
    say(order === "who" ? "is" : "refused", word, (error as { code?: string }).code ?? String(error));
  }
}

say("ready");
process.stdin.setEncoding("utf8");
let rest = "";
process.stdin.on("data", (text: string) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  // Concurrently, and not one after another.
  for (const line of lines) void obey(line);
});
