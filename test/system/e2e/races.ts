import { setTimeout as sleep } from "node:timers/promises";
import { ask, dataOf, signInDocument } from "./graphql-client.ts";
import { codeOf, type Fleet } from "./fleet.ts";
import { penknife, type Server } from "./harness.ts";

/** The outcome of a change that Redis did not answer in time, which may have been made or not. */
export const unanswered = "storage_unavailable";

/** The outcome of a change: `ok`, or the code or the sentence of its refusal. */
export interface Outcome {
  code: string;
  /** The key that it issued. */
  key?: string;
  id?: string;
}

/** Makes changes over one node, or by commands. */
export interface Actor {
  issue(account: string): Promise<Outcome>;
  rotate(id: string): Promise<Outcome>;
  revoke(id: string): Promise<Outcome>;
  revokeAll(account: string): Promise<Outcome>;
  create(name: string, plan: "pro" | "team"): Promise<Outcome>;
  upgrade(name: string): Promise<Outcome>;
  disable(name: string): Promise<Outcome>;
  remove(name: string): Promise<Outcome>;
  addEndpoint(account: string): Promise<Outcome>;
  pause(id: string): Promise<Outcome>;
  rotateSecret(id: string): Promise<Outcome>;
}

interface Shown {
  secret?: string;
  key?: { id: string };
  endpoint?: { id: string };
}

const url = "http://127.0.0.1:9/hook";

/** The operator at a node, or with `token` the session of an account. */
export function createNodeActor(server: Server, token: string): Actor {
  async function change(fields: string): Promise<Outcome> {
    const { data, errors } = await ask(server, `mutation { it: ${fields} }`, { token });
    const [error] = errors;
    if (error !== undefined) return { code: error.extensions.code };
    const { secret = "", key, endpoint } = (data as { it: Shown }).it;
    const id = (key ?? endpoint)?.id;
    return { code: "ok", key: secret, ...(id !== undefined && { id }) };
  }

  const text = JSON.stringify;
  return {
    issue: (account) => change(`generateKey(input: { account: ${text(account)} }) { secret key { id } }`),
    rotate: (id) => change(`rotateKey(id: ${text(id)}, input: { grace: "1h" }) { secret key { id } }`),
    revoke: (id) => change(`revokeKey(id: ${text(id)}) { state }`),
    revokeAll: (account) => change(`revokeAllKeys(account: ${text(account)}) { state }`),
    create: (name, plan) =>
      change(`createAccount(input: { name: ${text(name)}, plan: ${plan.toUpperCase()} }) { name }`),
    upgrade: (name) => change(`updateAccount(name: ${text(name)}, input: { plan: TEAM }) { name }`),
    disable: (name) => change(`disableAccount(name: ${text(name)}) { name }`),
    remove: (name) => change(`deleteAccount(name: ${text(name)}, revokeKeys: true) { name }`),
    addEndpoint: (account) =>
      change(
        `createWebhookEndpoint(input: { account: ${text(account)}, url: ${text(url)} }) { endpoint { id } }`,
      ),
    pause: (id) => change(`pauseWebhookEndpoint(id: ${text(id)}) { state }`),
    rotateSecret: (id) => change(`rotateWebhookSecret(id: ${text(id)}) { secret }`),
  };
}

/** `penknife admin`, a process for each change. */
export function createCommandActor({ env }: Fleet, cwd: string): Actor {
  async function change(...words: string[]): Promise<Outcome> {
    const { status, stdout, stderr } = await penknife(cwd, ["admin", ...words, "--json"], { env });
    if (status !== 0)
      return { code: /does not answer|Try again later/.test(stderr) ? unanswered : stderr.trim() };
    const { id, key } = JSON.parse(stdout) as { id?: string; key?: string };
    return { code: "ok", ...(id !== undefined && { id }), ...(key !== undefined && { key }) };
  }

  return {
    issue: (account) => change("keys", "issue", "--account", account),
    rotate: (id) => change("keys", "rotate", id, "--grace", "1h"),
    revoke: (id) => change("keys", "revoke", id),
    revokeAll: (account) => change("keys", "revoke", "--all", "--account", account),
    create: (name, plan) => change("accounts", "create", name, "--plan", plan),
    upgrade: (name) => change("accounts", "set", name, "--plan", "team"),
    disable: (name) => change("accounts", "disable", name),
    remove: (name) => change("accounts", "delete", name, "--revoke-keys"),
    addEndpoint: (account) => change("webhooks", "add", url, "--account", account),
    pause: (id) => change("webhooks", "pause", id),
    rotateSecret: (id) => change("webhooks", "rotate", id),
  };
}

/**
 * Starts a session: of an account, or of the operator.
 * @param localAddress Signing in counts against the quota of its address.
 */
export async function signInAt(
  fleet: Fleet,
  server: Server,
  localAddress: string,
  account?: string,
): Promise<string> {
  const { code } = await fleet.operate((call) => call<{ code: string }>("login", { account }));
  const data = (await dataOf(server, signInDocument, { variables: { code }, localAddress })) as {
    signIn: { token: string };
  };
  return data.signIn.token;
}

/** A question and its answer, of a node that may not reach Redis in time at the moment. */
export interface Verdicts {
  /** Asks every node until it refuses the key; returns the nodes that accept it for good. */
  acceptedBy(key: string): Promise<number[]>;
  /** Asks every node until it accepts the key; returns the nodes that refuse it for good. */
  refusedBy(key: string): Promise<number[]>;
}

const tries = 60;
/** A node sees a change of another one after half a second. */
const pauseMs = 200;

/** @param localAddress An address of one race: thirty refused credentials a minute block one. */
export function createVerdicts(fleet: Fleet, localAddress: string): Verdicts {
  async function where(key: string, isRight: (code: string) => boolean): Promise<number[]> {
    const wrong = await Promise.all(
      fleet.servers.map(async (_server, at) => {
        for (let left = tries; left > 0; left--) {
          if (isRight(codeOf(await fleet.ask(at, key, { localAddress })))) return [];
          await sleep(pauseMs);
        }
        return [at];
      }),
    );
    return wrong.flat();
  }

  return {
    acceptedBy: (key) => where(key, (code) => code !== "ok" && code !== unanswered),
    refusedBy: (key) => where(key, (code) => code === "ok"),
  };
}
