import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "../../cli/spawn.ts";
import { openSocketWithin } from "../../e2e/socket.ts";

export interface GraphqlServer {
  url: string;
  /** Its data folder, with the key in key.txt. */
  folder: string;
  /** A key of the account `ci`. */
  key: string;
  /** Tokens of settings sessions: one of that account, one of the operator. */
  session: string;
  operator: string;
  /** The code for a session of this account; of the operator unless given. */
  login(account?: string): Promise<string>;
  /** One request over HTTP, and its answer. */
  post(query: string, token?: string, variables?: object): Promise<GraphqlAnswer>;
  /** The token of another session of this account; of the operator unless given. */
  signIn(account?: string): Promise<string>;
  /** Another key of the account. */
  issueKey(): Promise<{ key: string; id: string }>;
  stop(): Promise<void>;
}

export interface GraphqlAnswer {
  data?: Record<string, unknown> | null;
  errors?: {
    message: string;
    path?: (string | number)[];
    extensions?: Record<string, unknown>;
  }[];
}

/** For a whole test file: a server process with an account, a key of it, and both kinds of sessions. */
export async function openGraphqlServer(env: Record<string, string> = {}): Promise<GraphqlServer> {
  const folder = mkdtempSync(join(tmpdir(), "penknife-graphql-"));
  const data = join(folder, "penknife-data");
  const [command, ...first] = program;
  const child = spawn(command, [...first, "serve", "--port", "0", "--data", data], {
    cwd: folder,
    // On a busy machine, and from the sources, a worker starts late.
    env: { PATH: process.env.PATH, HOME: "/nonexistent", PENKNIFE_TOOLS_DEADLINE_MS: "60000", ...env },
  });
  // Its log: a server whose output nobody reads waits for that before it ends.
  child.stdout.resume();
  const url = await listening(child);

  const socket = await openSocketWithin(folder, 60_000);
  if (socket === undefined) throw new Error("The server has no socket");

  const login = async (account?: string): Promise<string> =>
    (await socket.call<{ code: string }>("login", { ...(account !== undefined && { account }) })).code;

  async function post(query: string, token?: string, variables: object = {}): Promise<GraphqlAnswer> {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as GraphqlAnswer;
  }

  async function signIn(account?: string): Promise<string> {
    const code = await login(account);
    const mutation = "mutation ($code: String!) { signIn(code: $code) { token } }";
    const { data: answer, errors } = await post(mutation, undefined, { code });
    const token = (answer?.["signIn"] as { token: string } | null | undefined)?.token;
    if (token === undefined) throw new Error(JSON.stringify(errors));
    return token;
  }

  const issueKey = (): Promise<{ key: string; id: string }> => socket.call("keys.issue", { account: "ci" });

  await socket.call("accounts.create", { name: "ci", plan: "team" });
  const { key } = await issueKey();
  writeFileSync(join(folder, "key.txt"), `${key}\n`);
  return {
    url,
    folder,
    key,
    session: await signIn("ci"),
    operator: await signIn(),
    login,
    post,
    signIn,
    issueKey,
    async stop() {
      socket.close();
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function listening(child: ChildProcess): Promise<string> {
  let said = "";
  for await (const chunk of child.stderr as AsyncIterable<Buffer>) {
    said += chunk.toString();
    const url = /listening on (\S+)/.exec(said)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`It ended: ${said}`);
}
