import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { requireOwnFolder } from "../own-file.ts";

/** Files in which releases before `history.db` kept its content, in the data folder. */
export interface OldHistory {
  /** The last uses of all keys. */
  uses: string | undefined;
  /** A folder with a file an hour. */
  usage: string | undefined;
  /** The logs of ended deliveries, a file a day, in order. */
  ended: string[];
}

export function findOldHistory(folder: string): OldHistory {
  const found = (name: string): string | undefined => (existsSync(join(folder, name)) ? name : undefined);
  const deliveries = join(folder, deliveriesFolder);
  const ended = (existsSync(deliveries) ? readdirSync(deliveries) : []).filter((name) =>
    /^ended-\d{4}-\d\d-\d\d\.log$/.test(name),
  );
  if (ended.length > 0) requireOwnFolder(deliveries);
  return {
    uses: found("last-used.json"),
    usage: found("usage"),
    ended: ended.toSorted().map((name) => join(deliveriesFolder, name)),
  };
}

export const isThere = ({ uses, usage, ended }: OldHistory): boolean =>
  uses !== undefined || usage !== undefined || ended.length > 0;

const deliveriesFolder = "webhooks";
