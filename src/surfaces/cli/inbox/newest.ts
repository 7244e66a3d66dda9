import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import type { Remote } from "./remote.ts";

/**
 * The id of the newest message that an inbox has; undefined where it has none. Whoever begins after it misses nothing that
 * comes from now on, even while it is not connected.
 */
export async function newestOf(
  remote: Remote,
  inbox: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const more = signal === undefined ? {} : { signal };
  const path = `/api/inboxes/${inbox}`;
  const { newestId } = (await remote.ask("GET", path, more)) as { newestId: string | null };
  return newestId ?? undefined;
}

/** Of a command that follows an inbox: where it begins. */
export const beginArgs = {
  after: {
    type: "string",
    valueHint: "MSG",
    description: "Begin after this message (msg_…), not with the next one",
  },
  all: { type: "boolean", description: "Begin with the first that is kept" },
} as const;

/** What of them is wrong is said before anything is asked; the answer says after which message to begin. */
export function toBegin(
  { after, all }: { after?: string | undefined; all?: boolean | undefined },
  inbox: string,
): (remote: Remote) => Promise<string | undefined> {
  if (all === true && after !== undefined) throw usageError("Give --all or --after, not both.");
  const known = after === undefined ? undefined : toMessageId(after);
  return async (remote) => (all === true ? undefined : (known ?? newestOf(remote, inbox)));
}

export function toMessageId(word: string): string {
  if (/^msg_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(word)) return word;
  throw usageError(
    `${visible(word.slice(0, 80))} is no id of a message: msg_ and a UUID. penknife inbox tail shows them.`,
  );
}
