import { z } from "zod";
import { labelForm, labelNeeds } from "../catalog/label.ts";
import { plans } from "../storage/records.ts";

// Fields that inputs share. `graphql` names the type of an argument where it does not follow from the field.

export const name = z.string().max(63).meta({ graphql: "ID" });
export const id = z.string().max(64).meta({ graphql: "ID" });
export const code = z.string().max(200);
export const label = z.string().max(200).regex(labelForm, labelNeeds);
export const when = z.string().max(40);
export const plan = z.enum(plans).meta({ graphql: "Plan" });
/** The largest number of items in a list. */
export const maxItems = z.int().min(1).max(10_000);
/** `person.ts` validates the contents. */
export const person = z.strictObject({
  issuer: z.string().max(300),
  subject: z.string().max(1000),
  name: z.string().max(300).exactOptional(),
});
export const usageQuery = {
  account: name.optional(),
  key: id.optional(),
  since: when.optional(),
  until: when.optional(),
};

export const whenText =
  "Since then: a duration such as 24h, a date, or an instant such as 2026-01-31T12:00:00Z";
