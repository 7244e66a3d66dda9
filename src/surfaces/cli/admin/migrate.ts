import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { ArgsDef } from "citty";
import { StoreError } from "../../../storage/errors.ts";
import { defineLeaf, jsonArg } from "../command.ts";
import type { Host } from "../host.ts";
import { loadOperatorSettings } from "../load-settings.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { forceArg, openPlace, parsePlace, type Place, runCopy } from "./transfer.ts";

const place = (of: string) =>
  ({ type: "string", valueHint: "STORE", description: `${of}: file:FOLDER or redis://…` }) as const;
const placeFile = (of: string) =>
  ({
    type: "string",
    valueHint: "FILE",
    description: `${of}, read from FILE, because an address may contain a password`,
  }) as const;
const prefix = (of: string) =>
  ({
    type: "string",
    valueHint: "PREFIX",
    description: `Key prefix of the ${of} in Redis (storage.prefix)`,
  }) as const;

export const migrateCommand = defineLeaf({
  description:
    "Copy everything from one store to another. The source does not change; a second run continues an interrupted one.",
  args: {
    from: place("Source"),
    "from-file": placeFile("Source"),
    to: place("Target"),
    "to-file": placeFile("Target"),
    "from-prefix": prefix("source"),
    "to-prefix": prefix("target"),
    ...forceArg,
    ...jsonArg,
  } satisfies ArgsDef,
  twins: [
    { text: "from", file: "from-file", required: true },
    { text: "to", file: "to-file", required: true },
  ],
  examples: [
    "penknife admin migrate --from file:./penknife-data --to redis://127.0.0.1:6379/0",
    "penknife admin migrate --from-file /run/secrets/redis-url --to file:./penknife-data",
  ],
  async run({ force, json, ...args }, host) {
    const { config } = await loadOperatorSettings(args, host);
    const read = (name: "from" | "to"): Place =>
      parsePlace(
        `--${name}`,
        args[name] ?? readAddress(args[`${name}-file`] ?? "", host),
        checkPrefix(`--${name}-prefix`, args[`${name}-prefix`] ?? config.storage.prefix),
        (path) => resolve(host.files.cwd, path),
      );
    const [from, to] = [read("from"), read("to")];
    const source = await nameOf("from", from);
    if (source === (await nameOf("to", to))) throw usageError("--from and --to are the same store.");
    if (from.driver === "redis") {
      await host.stderr.write(
        "penknife: what servers write to the source from now on may not be copied; stop them first\n",
      );
    }
    const store = await open("from", from, true, host);
    try {
      const target = await open("to", to, false, host);
      try {
        const { createParts } = await import("../../../services/transfer/parts.ts");
        const { runtime } = host;
        const detail = { source };
        const task = {
          act: "migrate",
          from: createParts({ store, runtime }),
          store: target,
          force: force === true,
          detail,
        } as const;
        return await runCopy(task, json, host);
      } finally {
        await target.close();
      }
    } finally {
      await store.close();
    }
  },
});

function readAddress(path: string, { files }: Host): string {
  const text = files.readText(path);
  if (text === undefined) throw usageError(`There is no file ${visible(path)}.`);
  return text.trim();
}

function checkPrefix(flag: string, text: string): string {
  if (/^[A-Za-z0-9_.-]+:$/.test(text)) return text;
  throw usageError(`${flag} must be letters, digits, _ . - and a final colon, such as penknife:`);
}

/** The name of a store for messages: without a password, and equal for equal addresses. */
async function nameOf(flag: "from" | "to", where: Place): Promise<string> {
  if (where.driver === "redis") {
    const { parseRedisUrl } = await import("../../../storage/redis/url.ts");
    try {
      return `redis ${parseRedisUrl(where.url).name} ${where.prefix}`;
    } catch (error) {
      throw error instanceof StoreError ? usageError(inWordsOf(flag, error.reason)) : error;
    }
  }
  try {
    return `file ${realpathSync(where.path)}`;
  } catch {
    return `file ${where.path}`;
  }
}

/** Names the option instead of the configuration in the errors of a store. */
async function open(name: "from" | "to", where: Place, readOnly: boolean, host: Host) {
  try {
    return await openPlace(where, { readOnly }, host);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new StoreError(error.operation, inWordsOf(name, error.reason), error);
  }
}

const inWordsOf = (flag: string, sentence: string): string =>
  sentence.replaceAll(/storage\.(?:url|path)(?: \(PENKNIFE_\w+ or \w+\))?/g, `--${flag}`);
