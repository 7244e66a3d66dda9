import { z } from "zod";
import { labelForm, labelNeeds } from "../../catalog/label.ts";
import { plans } from "../../storage/records.ts";

const name = z.string().max(63);
const id = z.string().max(64);
const code = z.string().max(200);
const label = z.string().max(200).regex(labelForm, labelNeeds);
const when = z.string().max(40);
const plan = z.enum(plans);
const limit = z.int();
// person.ts validates the contents.
const person = z.strictObject({
  issuer: z.string().max(300),
  subject: z.string().max(1000),
  name: z.string().max(300).optional(),
});

const usageQuery = {
  account: name.optional(),
  key: id.optional(),
  since: when.optional(),
  until: when.optional(),
};

/** The arguments of each operation in admin.ts. */
export const schemas = {
  "accounts.create": z.strictObject({ name: z.string(), plan, limit: limit.optional() }),
  "accounts.list": z.strictObject({}),
  "accounts.show": z.strictObject({ name }),
  "accounts.set": z.strictObject({
    name,
    plan: plan.optional(),
    limit: limit.optional(),
    revokeKeys: z.boolean().optional(),
  }),
  "accounts.disable": z.strictObject({ name }),
  "accounts.enable": z.strictObject({ name }),
  "accounts.delete": z.strictObject({ name, revokeKeys: z.boolean().optional() }),
  "keys.issue": z.strictObject({ account: name, name: label.optional(), expires: when.optional() }),
  "keys.list": z.strictObject({ account: name.optional() }),
  "keys.show": z.strictObject({ id }),
  "keys.rotate": z.strictObject({ id, grace: when.optional(), expires: when.optional() }),
  "keys.revoke": z.strictObject({ id, reason: label.optional() }),
  "keys.revokeAll": z.strictObject({ account: name, reason: label.optional() }),
  "keys.check": z.strictObject({ key: z.string().max(200) }),
  login: z.strictObject({ account: name.optional() }),
  "sessions.check": z.strictObject({ code }),
  "sessions.begin": z.strictObject({ code }),
  "sessions.open": z.strictObject({
    person,
    account: name.optional(),
    operator: z.literal(true).optional(),
  }),
  "sessions.list": z.strictObject({ account: name.optional(), person: person.optional() }),
  "sessions.show": z.strictObject({ id }),
  "sessions.revoke": z.strictObject({ id }),
  "sessions.revokeAll": z.strictObject({ person, account: name.optional() }),
  "limits.reset": z.strictObject({ account: name }),
  usage: z.strictObject({ account: name.optional() }),
  "usage.reports": z.strictObject(usageQuery),
  "usage.history": z.strictObject({
    ...usageQuery,
    by: z.enum(["account", "key", "tool", "hour", "day"]).optional(),
  }),
  "audit.list": z.strictObject({
    account: name.optional(),
    actor: z.string().max(1000).optional(),
    since: when.optional(),
    before: z.int().min(1).optional(),
    search: z.string().max(200).optional(),
    limit: z.int().min(1).max(10_000).optional(),
  }),
  "audit.verify": z.strictObject({
    anchor: z
      .strictObject({
        seq: z.int().min(1),
        hash: z.string().regex(/^[0-9a-f]{64}$/, "Must be 64 lower-case hexadecimal digits."),
      })
      .optional(),
  }),
  "webhooks.add": z.strictObject({
    account: name,
    url: z.string().max(4096),
    method: z.enum(["POST", "PUT"]).optional(),
    events: z.array(z.string().max(64)).max(64).optional(),
    description: label.optional(),
    retryClientErrors: z.boolean().optional(),
  }),
  "webhooks.list": z.strictObject({ account: name.optional() }),
  "webhooks.show": z.strictObject({ id }),
  "webhooks.remove": z.strictObject({ id }),
  "webhooks.pause": z.strictObject({ id }),
  "webhooks.resume": z.strictObject({ id }),
  "webhooks.rotate": z.strictObject({ id, grace: when.optional() }),
  "webhooks.test": z.strictObject({ id }),
  "webhooks.deliveries": z.strictObject({
    endpoint: id.optional(),
    account: name.optional(),
    event: id.optional(),
    type: z.string().max(64).optional(),
    state: z.enum(["waiting", "delivered", "failed"]).optional(),
    since: when.optional(),
    after: id.optional(),
    limit: z.int().min(1).max(10_000).optional(),
  }),
  "webhooks.delivery": z.strictObject({ id }),
  "webhooks.redeliver": z.strictObject({ id }),
  "webhooks.recover": z.strictObject({ id, since: when }),
  "backup.begin": z.strictObject({}),
  "backup.next": z.strictObject({ id }),
  "backup.end": z.strictObject({ id }),
} as const;
