import { z } from "zod";
import { invalidField, parseInput } from "../../catalog/input.ts";
import { labelForm, labelNeeds } from "../../catalog/label.ts";
import { secretNeeds, signWebhook } from "../../lib/webhook/generate.ts";
import { holdsKey } from "../access/key-format.ts";
import { type InboxRecord, inboxSchemes } from "../../storage/records.ts";

/** The fields of an inbox that its owner sets; null removes a value. */
const fields = {
  name: z.string().min(1).max(100).regex(labelForm, labelNeeds).nullable().describe("A label for people"),
  scheme: z.enum(inboxSchemes).describe("How senders sign their messages; none accepts messages from anyone"),
  secret: z
    .string()
    .min(1)
    .max(4096)
    .describe("The signing secret; generated if the scheme needs one and it is omitted"),
  onInvalid: z
    .enum(["refuse", "record"])
    .describe("Refuse a message with a wrong signature (401), or record it as invalid"),
  status: z.int().min(200).max(599).describe("HTTP status of the answer to a sender"),
  body: z
    .string()
    .max(16_384)
    .nullable()
    .describe("Body of the answer; null for the default, which reports whether the message is a duplicate"),
  delayMs: z.int().min(0).max(30_000).describe("Milliseconds before the answer"),
};

export const inboxInputSchema = z.strictObject(fields).partial();

export type InboxInput = z.output<typeof inboxInputSchema>;

/** @throws ToolError invalid_input or unknown_field, with a pointer to the field. */
export function parseInboxInput(raw: unknown): InboxInput {
  const input = parseInput({ input: inboxInputSchema }, raw) as InboxInput;
  for (const name of ["name", "body", "secret"] as const)
    if (input[name]?.isWellFormed() === false)
      throw invalidField(name, "The text contains a lone surrogate, which UTF-8 cannot encode.");
  for (const name of ["name", "body"] as const)
    if (holdsKey(input[name] ?? ""))
      throw invalidField(
        name,
        "The text contains a key, which would be stored and shown in clear. Leave the key out.",
      );
  const { body, status } = input;
  if (typeof body === "string" && status !== undefined && hasNoBody(status))
    throw invalidField("body", `An answer of status ${status} has no body; leave it out.`);
  return input;
}

/** RFC 9110 §15.3.5, §15.3.6 and §15.4.5. */
export const hasNoBody = (status: number): boolean => status === 204 || status === 205 || status === 304;

/** @throws ToolError invalid_input if the scheme does not allow this secret. */
export function checkSecret(scheme: InboxRecord["scheme"], secret: string): void {
  if (scheme === "none")
    throw invalidField("secret", "The scheme none verifies no signatures; leave the secret out.");
  // GitLab sends its token in a header, so a secret that no header can hold would never match.
  if (signWebhook(scheme, { payload: nothing, secret, time: 0 }) === undefined)
    throw invalidField("secret", secretNeeds[scheme] ?? `This is not a valid secret for ${scheme}.`);
}

const nothing = new Uint8Array(0);
