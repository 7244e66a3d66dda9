import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { counted } from "../../lib/counted.ts";
import { readInbox } from "../../storage/inbox/read-inbox.ts";
import { createSegments } from "../../storage/log/segments.ts";
import { error, type Finding, ok } from "./finding.ts";

/** Damaged places that are shown. */
const maxShown = 3;

/** Checks the messages of inboxes. */
export async function checkInboxes(path: string): Promise<Finding[]> {
  const folder = join(path, "messages");
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0) return [];
  const faults: string[] = [];
  let messages = 0;
  for (const name of names) {
    try {
      const { entries } = await readInbox(createSegments(join(folder, name)), ({ reason }) => {
        faults.push(reason);
      });
      messages += entries.length;
    } catch (cause) {
      faults.push((cause as Error).message);
    }
  }
  if (faults.length === 0)
    return [
      ok(
        "storage.inboxes",
        `${counted(messages, "message")} of ${counted(names.length, "inbox", "inboxes")} can be read.`,
      ),
    ];
  const more = faults.length > maxShown ? ` And ${faults.length - maxShown} more.` : "";
  return [
    error(
      "storage.inboxes",
      faults.slice(0, maxShown).join(" ") + more,
      "These messages are lost, and all others are kept. Check the disk.",
    ),
  ];
}
