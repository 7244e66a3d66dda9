import { setTimeout as sleep } from "node:timers/promises";
import { type AdminClient, connectAdmin } from "../../src/operations/client.ts";

/** Name of the account with this number. */
export const nameOf = (account: number): string => `account-${account}`;

/** Creates a team account, and returns a key of it. */
export async function addAccount(admin: AdminClient, at: number): Promise<string> {
  await admin.call("accounts.create", { name: nameOf(at), plan: "team" });
  const { key } = (await admin.call("keys.issue", { account: nameOf(at) })) as { key: string };
  return key;
}

/** The server creates its admin socket shortly after it starts to listen. */
export async function openAdmin(path: string): Promise<AdminClient> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const client = await connectAdmin(path);
    if (client !== undefined) return client;
    await sleep(25);
  }
  throw new Error(`no server listens at ${path}`);
}

/** Changes an account's limit, which publishes an event. */
export const setLimit = (admin: AdminClient, account: number, limit: number): Promise<unknown> =>
  admin.call("accounts.set", { name: nameOf(account), limit });
