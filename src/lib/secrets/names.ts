/**
 * The kind of value a name implies: a password, a token or key, or something `related` such as
 * `password_hash`.
 */
export type NameKind = "password" | "token" | "related";

const passwords =
  /^(?:(?:my|db|user|root|admin|app|smtp|mail|ftp|ssh|sudo|login|require)?pass|pw|psk|masterauth|bindpw|rootpw)$|(?:password|passwd|pwd|passphrase|passcode|passwort|kennwort|contrasena|senha|secret)$/;
const tokens =
  /(?:token|bearer|jwt|apikey|accesskey|secretkey|privatekey|authkey|signingkey|encryptionkey|masterkey|sharedkey|accountkey|sessionkey|credentials?)$/;

const toSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words before `key` that make it the name of a secret; `cacheKey` is not one. */
const keyOwners = toSet(
  "api app access secret private auth signing encryption master shared account session subscription storage service deploy license rpc hmac aes cipher crypto admin",
);

/** Words that may follow the name of a secret. */
const qualifiers = toSet(
  "prod production dev development staging stage test live main primary secondary old new current previous default value val str string text plain plaintext raw base64 b64 hex env local",
);

/** Words before a password that make it a flag, an action or another kind of pass. */
const negations = toSet(
  "has is show hide no use without forgot reset change require requires need needs single multi two first second render shadow depth",
);

/**
 * Classifies an identifier in camelCase, snake_case, kebab-case or dotted notation; undefined if it does not
 * name a secret. The last word decides: `dbPass` is a password, `passwordField` and `token_url` are only
 * related to one.
 */
export function classifyName(name: string): NameKind | undefined {
  if (/^identified[ \t]by$/i.test(name)) return "password";
  const words = splitWords(name);
  if (words.some((word) => harmless.has(word)) || /^(?:public|page)[-_]?key[-_]?token$/i.test(name))
    return undefined;
  while (words.length > 1 && isQualifier(words.at(-1) as string)) words.pop();
  const last = words.at(-1) ?? "";
  const before = words.at(-2) ?? "";
  if (passwords.test(last)) return negations.has(before) ? undefined : "password";
  if (tokens.test(last) || last === "auth") return "token";
  if (last === "key" && keyOwners.has(before)) return "token";
  if (places.has(last)) return undefined;
  return words.some((word, at) => isSecretWord(word, words[at - 1] ?? "")) ? "related" : undefined;
}

/** Words that make a name one of something that everybody may know: PublicKeyToken, nextPageToken, csrf_token. */
const harmless = toSet("public publickeytoken page pagetoken csrf xsrf usersecretsid tokenizer tokenization");

/** Last words of names of something about a secret: its identifier, its place, its form. */
const places = toSet(
  "id ids arn url uri path paths file files filename dir folder location endpoint host issuer audience type types kind format length size limit count min max index version alg algorithm name names label title message text error errors status state field fields selector class regex pattern policy instance factory provider service manager store handler helper expiry expires ttl timeout header prefix suffix ref",
);

/** Reports whether a word of a name, or its plural, names a secret. */
function isSecretWord(word: string, before: string): boolean {
  const single = word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
  return passwords.test(single) || tokens.test(single) || (single === "key" && keyOwners.has(before));
}

/** `APIKey`, `api_key`, `api-key` and `api.key` all split into api and key. */
const splitWords = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replace(/(pass|word|passwd|pwd|token|secret|key)(\d)/gi, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");

const isQualifier = (word: string): boolean => qualifiers.has(word) || /^\d{1,4}$/.test(word);
