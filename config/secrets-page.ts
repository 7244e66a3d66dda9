import { secretRules } from "../src/lib/secrets/find.ts";
import type { SecretRule } from "../src/lib/secrets/rule.ts";
import { tokenRules } from "../src/lib/secrets/vendors/all.ts";
import { namedRules } from "../src/lib/secrets/vendors/named.ts";

/** Returns the page about the rules of secret-scanner and text-redactor. */
export function secretsPage(): string {
  const marked = new Set<SecretRule>(tokenRules);
  const named = new Set<SecretRule>(namedRules);
  const others = secretRules.filter((rule) => !marked.has(rule) && !named.has(rule));
  return `${[
    "# Secrets",
    `\`secret-scanner\` reports, and \`text-redactor\` masks, what ${secretRules.length} rules find. Written by \`make docs\`.`,
    "The key of a rule is the value of `rules`, the rule of a finding, and what a comment `penknife-ignore secret-scanner/RULE` names. A finding tells the name that the value has in the text, and the first characters of a token with a mark; never more. A value is reported at its first place, with the number of further ones.",
    "No rule sends anything anywhere, so a finding does not say whether a secret is still valid.",
    "## By their mark",
    "Tokens that begin with, or contain, what their vendor puts there, wherever they are. Examples of manuals are left out: `AKIA…EXAMPLE`, `XXXXXX`, `your-token-here`.",
    toTable(
      ["rule", "what", "mark"],
      tokenRules.map(({ id, title, prefixes }) => [id, title, prefixes.map(toCode).join(" ")]),
    ),
    "## By the name before them",
    "Values of a vendor's form behind a name with one of these words, in any notation: `DATADOG_API_KEY=`, `datadog.apiKey:`, `<datadogApiKey>`.",
    toTable(
      ["rule", "what", "words"],
      namedRules.map(({ id, title, names }) => [id, title, names.map(toCode).join(" ")]),
    ),
    "## By their place",
    toTable(
      ["rule", "what"],
      others.map(({ id, title }) => [id, title]),
    ),
    "`assigned-password` and `high-entropy` take the values of names such as `password`, `db_pass`, `apiKey` and `client_secret`, in quotes or in configuration. Such a value may contain any character. These are no secrets: references (`$X`, `vault:x`), calls, templates (`${x}`, `{{ x }}`, `<%= x %>`), placeholders (`changeme`, `<your-token>`), and words, paths, dates and versions.",
    "What `password-generator`, `token-generator` and `nanoid-generator` make is found under such a name from about 51 bits of randomness for passwords (8 characters of all classes) and 72 bits for keys on. Letters alone, or digits alone, need 20 characters, because fewer may be a word or a number.",
    "A password in a URL is a warning if everybody knows it (`postgres:postgres`), or if the host is this machine or an example.",
  ].join("\n\n")}\n`;
}

const toCode = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

const toTable = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => "---"), ...rows.map(([id = "", ...rest]) => [toCode(id), ...rest])]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
