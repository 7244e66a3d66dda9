import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { end, program } from "../../cli/spawn.ts";

export interface GraphqlServer {
  url: string;
  /** Its data folder, with the key in key.txt. */
  folder: string;
  /** A key of the account `ci`. */
  key: string;
  /** Tokens of settings sessions: one of that account, one of the operator. */
  session: string;
  operator: string;
  /** Runs `penknife admin …` and returns its output. @throws Error with its standard error. */
  admin(line: string): Promise<string>;
  /** One request over HTTP, and its answer. */
  post(query: string, token?: string, variables?: object): Promise<GraphqlAnswer>;
  /** The token of another session, by `login` or `login --account …`. */
  signIn(line: string): Promise<string>;
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
  const start = (words: readonly string[]): ChildProcess =>
    spawn(command, [...first, ...words, "--data", data], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: "/nonexistent", ...env },
    });
  const child = start(["serve", "--port", "0"]);
  const url = await listening(child);

  async function admin(line: string): Promise<string> {
    const { status, stdout, stderr } = await end(start(["admin", ...line.split(" ")]), "");
    if (status !== 0) throw new Error(`penknife admin ${line}: ${stderr}`);
    return stdout.toString().trim();
  }

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

  async function signIn(line: string): Promise<string> {
    const code = await admin(line);
    const mutation = "mutation ($code: String!) { signIn(code: $code) { token } }";
    const { data: answer, errors } = await post(mutation, undefined, { code });
    const token = (answer?.["signIn"] as { token: string } | null | undefined)?.token;
    if (token === undefined) throw new Error(JSON.stringify(errors));
    return token;
  }

  async function issueKey(): Promise<{ key: string; id: string }> {
    return JSON.parse(await admin("keys issue --account ci --json")) as { key: string; id: string };
  }

  await admin("accounts create ci --plan team");
  const { key } = await issueKey();
  writeFileSync(join(folder, "key.txt"), `${key}\n`);
  return {
    url,
    folder,
    key,
    session: await signIn("login --account ci"),
    operator: await signIn("login"),
    admin,
    post,
    signIn,
    issueKey,
    async stop() {
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
