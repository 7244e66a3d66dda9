import { z } from "zod";
import { defineOperation } from "../operation.ts";

const head = z.strictObject({ seq: z.int(), hash: z.string() });

export const verifyTrail = defineOperation({
  name: "audit.verify",
  summary: "Verify that the audit trail is unchanged.",
  kind: "reads",
  callers: "operator",
  input: z.strictObject({
    anchor: z
      .strictObject({
        seq: z.int().min(1),
        hash: z.string().regex(/^[0-9a-f]{64}$/, "Must be 64 lower-case hexadecimal digits."),
      })
      .optional(),
  }),
  output: z.strictObject({
    lines: z.int(),
    head,
    faults: z.array(z.strictObject({ place: z.string(), message: z.string() })).readonly(),
    faultCount: z.int(),
    notices: z.array(z.string()).readonly(),
  }),
  byHand: { command: "audit --verify", field: "auditProof" },
  run: async ({ store }, { anchor }) => (await store.audit()).verify(anchor),
});
