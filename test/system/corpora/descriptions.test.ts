import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import tool from "../../../src/tools/diff/openapi-differ.ts";
import { runTool } from "../../unit/tools/run-tool.ts";
import { atHand, corpora } from "../../unit/corpora/corpus.ts";

interface Row {
  impact: string;
  rule: string;
  line: number;
}

/** Two versions of each description, by its name. */
function readPairs(): Map<string, { a: string; b: string }> {
  const lines = readFileSync(new URL("real-files.jsonl", corpora), "utf8").split("\n");
  const pairs = new Map<string, { a: string; b: string }>();
  for (const line of lines.filter((one) => one.startsWith('{"id":"openapi/'))) {
    const { id, text } = JSON.parse(line) as { id: string; text: string };
    const [, name = "", side = ""] = /^openapi\/(.*)\/([ab])$/.exec(id) ?? [];
    pairs.set(name, { ...(pairs.get(name) ?? { a: "", b: "" }), [side]: text });
  }
  return pairs;
}

const compare = async (data: string, other: string): Promise<Row[]> =>
  JSON.parse(await runTool(tool, { data, other, format: "json", now: "2026-01-01T00:00:00Z" })) as Row[];

/** Changes that break clients or may, as rule and lines, of the old description where something was removed; and why each is one. */
const changes: Record<string, [changes: string, why: string][]> = {
  "adyen-BalancePlatformBalanceNotification-v1-over-time": [
    ["webhook-removed 29", "balanceAccount.balance.updated is not sent any more"],
  ],
  "adyen-BalancePlatformRelayedAuthorisationNotification-v1-v2": [
    ["response-enum-widened 758 815", "status and type have values that they had not"],
    ["response-property-became-optional 119 120", "city and postalCode are not among required any more"],
    ["required-response-property-removed 96 110", "houseNumberOrName and street were required and are gone"],
    ["response-max-length-widened 86", "city had maxLength 3000"],
    ["optional-response-property-removed 560", "personalData is gone"],
  ],
  "adyen-BalancePlatformTransactionNotification-v4-over-time": [
    ["request-additional-properties-narrowed 77", "the answer has additionalProperties: false"],
    ["optional-response-property-removed 129", "eventId is gone"],
  ],
  "adyen-BinLookupService-v40-v50": [["server-removed 3", "the URL has another version"]],
  "adyen-BinLookupService-v53-v54": [["server-removed 3", "the URL has another version"]],
  "adyen-DisputeService-v30-over-time": [["path-removed 247", "/downloadDisputeDefenseDocument is gone"]],
  "adyen-HopService-v5-over-time": [
    [
      "request-additional-properties-narrowed 381 161 506 449",
      "four requests have additionalProperties: false",
    ],
    ["response-enum-widened 211", "fieldName has a value that it had not"],
  ],
  "adyen-PaymentsAppService-v1-over-time": [
    ["request-min-length-narrowed 75 145 152 220 305 312 399 406", "path parameters have minLength: 1"],
  ],
  "adyen-RaiseDisputesService-v1-v2": [["server-removed 3 5", "the URLs have another version"]],
  "adyen-TransactionService-v1-v2": [["server-removed 3 5", "the URLs have another version"]],
  "twilio-bulkexports_v1-over-time": [
    ["response-type-widened 177 130", "details is a list, and was an object"],
    [
      "response-null-widened 177 211 192 173 196 168 188 215 207 203 53 43 48 62 78 83 72 67 399 407 20 11 24 28 36 783 791 130 119 105 91 123 95 100 114 109",
      "properties have nullable: true",
    ],
    ["request-maximum-narrowed 366", "PageSize has maximum 400, and had 1000"],
    ["security-added 1110", "the document had no security"],
  ],
  "twilio-frontline_v1-over-time": [["security-added 233", "the document had no security"]],
  "twilio-knowledge_v1-over-time": [
    ["security-added 2", "the document had no security"],
    ["response-pattern-changed 442 17", "the pattern of id is another one"],
    ["request-pattern-changed 219", "the pattern of policy.id is another one"],
  ],
  "twilio-lookups_v1-over-time": [
    ["response-type-widened 50 11 47", "add_ons, caller_name and carrier were objects, and have no type"],
    ["response-null-widened 19 39 28 59", "properties have nullable: true"],
    ["security-added 428", "the document had no security"],
  ],
};

describe.skipIf(!atHand)("descriptions of public APIs", () => {
  const pairs = atHand ? readPairs() : new Map<string, { a: string; b: string }>();

  test("there are nineteen pairs", () => {
    expect(pairs.size).toBe(19);
  });

  test.each([...pairs])(
    "%s differs from its older version as listed, and not from itself",
    async (name, { a, b }) => {
      expect(await compare(a, a)).toEqual([]);
      expect(await compare(b, b)).toEqual([]);
      const found = new Map<string, number[]>();
      for (const { impact, rule, line } of await compare(a, b))
        if (impact !== "safe") found.set(rule, [...(found.get(rule) ?? []), line]);
      const shown = [...found].map(([rule, lines]) => `${rule} ${lines.join(" ")}`);
      expect(shown).toEqual((changes[name] ?? []).map(([one]) => one));
    },
  );
});
