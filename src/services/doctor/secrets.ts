import { createSeal } from "../../storage/seal.ts";
import { countClear, findUnreadable, sealedKinds } from "../../storage/sealed-records.ts";
import type { EndpointRecord, InboxRecord } from "../../storage/records.ts";
import { error, type Finding, note, ok, warning } from "./finding.ts";

export interface SecretRecords {
  endpoints: readonly EndpointRecord[];
  inboxes: readonly InboxRecord[];
}

/** Checks whether stored secrets can be read, and whether endpoints are disabled. @param found Records in any order. */
export function checkSecrets(found: SecretRecords, encryptionKey: string): Finding[] {
  const records = { endpoints: found.endpoints.toSorted(byId), inboxes: found.inboxes.toSorted(byId) };
  const all = [...records.endpoints, ...records.inboxes].filter(({ secret }) => secret !== undefined);
  if (all.length === 0) return checkStates(records.endpoints);
  // Nothing is encrypted in this store, so a key is not needed.
  const seal = createSeal({ key: encryptionKey, random: (size) => new Uint8Array(size) });
  const unreadable = sealedKinds.flatMap((kind) => findUnreadable(kind, records[kind], seal) ?? []);
  const clear = countClear(all);
  return [
    ...unreadable.map(({ message, action }) => error("storage.secrets", message, action)),
    ...(unreadable.length > 0 ? [] : [checkEncryption(all.length, clear, seal.keyed)]),
    ...checkStates(records.endpoints),
  ];
}

const byId = (a: { id: string }, b: { id: string }): number => a.id.localeCompare(b.id);

function checkEncryption(all: number, clear: number, keyed: boolean): Finding {
  if (clear === 0) return ok("storage.secrets", `All ${all} secrets of endpoints and inboxes are encrypted.`);
  const message = `${clear} of ${all} secrets of endpoints and inboxes ${clear === 1 ? "is" : "are"} stored in clear`;
  return keyed
    ? note(
        "storage.secrets",
        `${message}, from before storage.encryptionKey was set.`,
        "Rotate the secrets of endpoints (penknife admin webhooks rotate): new ones are encrypted.",
      )
    : ok("storage.secrets", `${message}, readable only by the owner of the store.`);
}

function checkStates(endpoints: readonly EndpointRecord[]): Finding[] {
  const disabled = endpoints.filter(({ state }) => state === "disabled");
  if (disabled.length === 0) return [];
  return [
    warning(
      "webhooks.endpoints",
      `${disabled.length} of ${endpoints.length} endpoints ${disabled.length === 1 ? "is" : "are"} disabled: ${disabled
        .slice(0, 3)
        .map(({ id, disabledReason = "failing" }) => `${id} (${disabledReason})`)
        .join(", ")}${disabled.length > 3 ? ", …" : ""}.`,
      "Repair the receiver and run penknife admin webhooks resume ID, or remove the endpoint.",
    ),
  ];
}
