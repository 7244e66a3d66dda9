import { describe, expect, test } from "vitest";
import { findSecrets, secretRules } from "../../../src/lib/secrets/find.ts";
import { redact, redactionKinds } from "../../../src/lib/secrets/redact.ts";
import { tokenRules } from "../../../src/lib/secrets/vendors/all.ts";
import { filesExamples } from "./secrets-planted/files.ts";
import { fill, planted } from "./secrets-planted/planted.ts";
import { syntaxes } from "./secrets-syntaxes.ts";

const rulesIn = (text: string): string[] => findSecrets(text, secretRules, 100).map(({ rule }) => rule.id);
const wordsOf = (name = "value"): string[] => (name === "value" ? ["value"] : [name, "api", "key"]);
const inFiles = new Set(filesExamples.map(([rule]) => rule));
const inCode = planted.filter(([rule]) => !inFiles.has(rule));

test("there are 220 rules or more, each with an example and a near miss", () => {
  expect(tokenRules.length).toBeGreaterThanOrEqual(220);
  expect(planted.map(([rule]) => rule).toSorted()).toEqual(secretRules.map(({ id }) => id).toSorted());
});

describe.each(planted.map(([rule, ...rest]) => ({ rule, rest })))("the rule $rule", ({ rule, rest }) => {
  const [example, nearMiss, name] = rest;
  const place = (shape: string): string => {
    const text = fill(shape, rule);
    return inFiles.has(rule) ? text : `${wordsOf(name).join("_")} = "${text}"`;
  };

  test("finds its example", () => {
    expect(rulesIn(place(example))).toEqual([rule]);
  });

  test("does not find its near miss", () => {
    const found = rulesIn(place(nearMiss));
    // A long value of a name such as datadog_api_key is a secret, but not one of this vendor.
    expect(found).toEqual(name === undefined ? [] : found.filter((one) => one !== rule));
  });
});

/** The share of the examples in a syntax that a search covers completely. */
function recallOf(covers: (text: string, written: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    syntaxes.map(({ name: syntax, write }) => {
      const found = inCode.filter(([rule, example, , name]) => {
        const { text, written } = write(wordsOf(name), fill(example, `${rule} in ${syntax}`));
        return covers(text, written);
      });
      return [syntax, `${found.length} of ${inCode.length}`];
    }),
  );
}

const complete = Object.fromEntries(
  syntaxes.map(({ name }) => [name, `${inCode.length} of ${inCode.length}`]),
);

test("secret-scanner finds the example of each rule in each syntax", () => {
  const recall = recallOf((text, written) =>
    findSecrets(text, secretRules, 100).some(
      ({ index, end }) =>
        // Some rules find the secret part of an example: AccountKey=x.
        index >= text.indexOf(written) && end === text.indexOf(written) + written.length,
    ),
  );
  process.stdout.write(`planted secrets that are found: ${JSON.stringify(recall)}\n`);
  expect(recall).toEqual(complete);
});

test("text-redactor masks the example of each rule in each syntax", () => {
  const recall = recallOf((text, written) => {
    const masked = redact(text, redactionKinds, "[{kind}]");
    return !masked.includes(written.slice(-12));
  });
  process.stdout.write(`planted secrets that are masked: ${JSON.stringify(recall)}\n`);
  expect(recall).toEqual(complete);
});

test.each([
  ["enable secret 5 $1$mERr$hx5rVt7rPNoS4wqbXKX7m0", "cisco-password"],
  ["username admin privilege 15 password 7 0822455D0A16544541", "cisco-password"],
  ["username ann secret 9 $9$2MJBozw/9R3UsU$2lFhcKvpghcyw8deP25GOfyZaagyUOGBymkryvOdfo6", "cisco-password"],
  [" neighbor 10.0.0.1 password 7 094F471A1A0A57", "cisco-password"],
  ["tacacs-server key 7 13061E010803567D", "cisco-password"],
  ["enable password 0 hunter2!x", "cisco-password"],
  ["sqlplus ann/hunter2x9@db", "oracle-login"],
  ["sqlplus -S app/Xk29fjq0@//db.internal.net:1521/orcl @run.sql", "oracle-login"],
  ['url = "jdbc:oracle:thin:app/Xk29fjq0@db.internal.net:1521:orcl"', "oracle-login"],
  ["url=jdbc:oracle:oci:app/Xk29fjq0@orcl", "oracle-login"],
])("%j holds a secret of the rule %s", (text, rule) => {
  expect(rulesIn(text)).toContain(rule);
});

test.each([
  "the password 7 characters long",
  "no service password 7 encryption",
  "username ann password 7 zz22455D0A16",
  "enable secret 5 $1$",
  "sqlplus / as sysdba",
  "sqlplus ann@db",
  "sqlplus $USER/$PASSWORD@db",
  "sqlplus ann/&password@db",
  "jdbc:oracle:thin:@db.internal.net:1521/orcl",
  "jdbc:oracle:thin:${user}/${password}@db",
  "sqlplus ${ORA_USER}/${ORA_PASS}@db",
])("%j holds none", (text) => {
  expect(rulesIn(text)).toEqual([]);
});
