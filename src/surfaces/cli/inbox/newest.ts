import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import type { Remote } from "./remote.ts";

/**
 * Returns the id of the newest message of an inbox; undefined if it is empty. Following from there misses no later
 * message, even if the connection is made later.
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

/** Arguments for the message at which a command that follows an inbox starts. */
export const startArgs = {
  after: {
    type: "string",
    valueHint: "MSG",
    description: "Start after this message (msg_…) instead of the newest one",
  },
  all: { type: "boolean", description: "Start with the oldest message kept" },
} as const;

/** Validates the options before any request; the returned function resolves to the id of the message to start after. */
export function toStart(
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
    `${visible(word.slice(0, 80))} is not a message id: expected msg_ and a UUID. Run penknife inbox tail to see them.`,
  );
}
