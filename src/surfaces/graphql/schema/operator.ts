import { levels } from "../../../services/doctor/finding.ts";
import type { EffectiveOption } from "../deps.ts";
import { callAdmin, lookUp, requireOperator } from "../scope.ts";
import { toInstant } from "../../../catalog/duration.ts";
import { given } from "./given.ts";
import { sizeOf } from "./own.ts";
import { matcherOf, maxFirst, maxSearch } from "./page-of.ts";
import type { Part } from "./part.ts";

/** Fields that only the operator sees: the audit trail, the findings of doctor, the configuration, and codes for owners. */
export const operator: Part = {
  typeDefs: `
extend type Query {
  "For the operator: administrative acts, newest first."
  auditTrail(
    "Only acts on this account, its keys and its endpoints."
    account: ID
    "Since then: a time such as 2026-11-21T12:00:00Z, or how long ago, such as 24h."
    since: String
    "Only acts of this actor, such as person:https://id.example.com#42."
    actor: String
    "Words that the actor, the address, the act, the account or the target must contain, all of them, case-insensitive; at most ${maxSearch} characters."
    search: String
    "The number of an act: the list continues before it."
    before: Long
    "How many at most: 1 to ${maxFirst}."
    first: Int! = 50
  ): [AuditEntry!]

  "For the operator: verifies the hash chain of the whole audit trail."
  auditProof: AuditProof

  "For the operator: what penknife doctor finds, about the node that answers."
  doctor: [DoctorFinding!]

  "For the operator: the servers that share the store, by their own reports."
  nodes: [Node!]

  "For the operator: the configuration in effect on the node that answers; secrets are masked."
  configuration: [ConfigurationOption!]
}

"An administrative act."
type AuditEntry {
  "Its number in the trail."
  seq: Long!
  "When it began."
  at: DateTime!
  "Who: person:, the issuer, # and the subject; session:ses_… for a session that began with a code; code:login_… for such a beginning; or cli: and the user of the machine."
  actor: String!
  "The address of the client, for a person with the id of the session, or where the command ran."
  from: String!
  "The operation, such as keys.revoke."
  act: String!
  "The account; null for an act on none."
  account: ID
  "The id of the key, session or endpoint."
  target: ID
  "The changes; the requested arguments if the act was refused or not finished."
  detail: JSON!
  "done, the code of the refusal, or unfinished if the process ended during the act."
  result: String!
}

"The result of verifying the audit trail."
type AuditProof {
  "Whether every line fits."
  intact: Boolean!
  "The number of lines."
  lines: Long!
  "The number and the hash of the last line, as N:HASH; record it elsewhere, and compare it later."
  head: String!
  "Lines that do not fit, in order; at most a hundred are listed."
  faults: [AuditFault!]!
  "The number of lines that do not fit."
  faultCount: Long!
  "Irregularities that are not tampering."
  notices: [String!]!
}

"A line of the audit trail that does not fit."
type AuditFault {
  "File and line."
  place: String!
  "What does not fit."
  message: String!
}

"The result of one check."
type DoctorFinding {
  "The topic and the subject, such as storage.lock."
  check: String!
  "How bad it is."
  level: FindingLevel!
  "What was found, as a sentence."
  message: String!
  "What to do, as a sentence; null if nothing."
  action: String
}

"How bad a finding is."
enum FindingLevel {
  OK
  NOTE
  WARNING
  ERROR
}

"A server that shares the store."
type Node {
  "Another one after each start."
  id: ID!
  "Its release; null if it is too old to report it."
  version: String
  "Its last report, by the clock of the store."
  seenAt: DateTime!
  "Whether it is the node that answers."
  current: Boolean!
}

"An option of the configuration."
type ConfigurationOption {
  "Section and name, such as server.port."
  option: String!
  "The value; ******** for a secret."
  value: JSON!
  "Where it was set: default, a file, the environment or the command line."
  origin: String!
}

"A one-time code for signing in."
type Login {
  "The code, shown only once."
  code: String!
  "The account."
  account: ID!
  "Until when it can be used."
  expiresAt: DateTime!
}
`,
  enums: { FindingLevel: [...levels] },
  resolvers: {
    Query: {
      async auditTrail(_source, { first, ...query }: TrailArgs, context) {
        requireOperator(context);
        matcherOf(query.search);
        const limit = sizeOf(first, maxFirst);
        const { items } = await lookUp(context, "audit.list", {
          ...given(query),
          limit,
        });
        return items.toReversed();
      },
      async auditProof(_source, _args, context) {
        requireOperator(context);
        const { head, faultCount, ...proof } = await callAdmin(context, "audit.verify", {});
        return { ...proof, faultCount, intact: faultCount === 0, head: `${head.seq}:${head.hash}` };
      },
      async doctor(_source, _args, context) {
        requireOperator(context);
        const findings = await context.deps.installation.examine();
        return findings.map(({ action, ...finding }) => ({ ...finding, action: action || null }));
      },
      async nodes(_source, _args, context) {
        requireOperator(context);
        const nodes = await context.deps.installation.nodes();
        return nodes.map(({ id, version, seenAt, isThis }) => ({
          id,
          version,
          seenAt: toInstant(seenAt),
          current: isThis,
        }));
      },
      configuration(_source, _args, context): Promise<readonly EffectiveOption[]> {
        requireOperator(context);
        return context.deps.installation.options();
      },
    },
  },
};

interface TrailArgs {
  account?: string | null;
  actor?: string | null;
  since?: string | null;
  search?: string | null;
  before?: number | null;
  first: number;
}
