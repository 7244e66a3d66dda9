import { isWord, toBits } from "./surprise.ts";

/** Patterns of values that stand for a secret, or for none, if they are words; other text of the form may be a password. */
const standIns: readonly RegExp[] = [
  // :x of SQL, $X, %s, <x>, [x], (x) and {x}.
  /^(?:\W{1,3}|:[A-Za-z_]+\d?|\$\$?[A-Za-z_]+\d{0,2}|\$\d|%[sdv@]|%[A-Za-z_]+%|\{\d{0,2}\}|<(?:[A-Za-z][\w-]*[ .:/]{0,2}){1,12}>|[[({](?:[A-Za-z][\w-]*[ .:]{0,2}){1,8}[\])}])$/,
  /^(?:(.)\1{2,}|[-*•._=~#?!\s]{1,64}|[xX]{3,}[\w-]{0,8}|[xX]{8,}.*|[*•]{2,}[\w.@-]{0,8}|[*•]{6,}.*|.*(?:\.\.\.|…|\*{3}|•{3}))$/s,
  /^\W*(?:redacted|masked|hidden|filtered|removed|none|null|nil|undefined|true|false|nan|n\/a|todo|tbd|unset|empty|required|optional|yes|no|on|off|include|omit|same-origin)\W*$/i,
];

/** References to a store of secrets, encrypted values, and members of what programs read them from. */
const references: readonly RegExp[] = [
  /^(?:vault|ssm|secretsmanager|aws-sm|gcp-sm|keyring|keychain|op|env|file|ref|arn|azurekeyvault|sops|doppler):[\w/{]|^@Microsoft\.|^!(?:Ref|Sub|GetAtt|vault|secret|env|reference)\b|^ENC\[/,
  /^(?:process|os|getenv|env|ENV|import|System|vars?|local|data|module|secrets|config|settings|self|this|params?|options?|args|request|req|ctx|context|props|state|input)(?:\??\.[A-Za-z_]{2}|\[["'`:\w]|\((?:["'`]|\w+\)?$))/,
];

/** ${X}, {{x}}, $(cmd), #{x}, %(x)s, %{x}, <%= x %> and @x@ within a value; the last one may be cut. */
const templates =
  /\$\{[A-Za-z_!][^{}]{0,200}\}|\$\{[A-Za-z_]{2}[^{}]{0,200}$|\{\{[-%]?\s*[A-Za-z_."'$(][^{}]{0,200}\}\}|\{\{[-%]?[\s.][^{}]{0,200}$|\$\([A-Za-z][\w-]*(?: [^()]{0,200})?(?:\)|$)|#\{[A-Za-z_@][^{}]{0,200}(?:\}|$)|%[({][A-Za-z_]\w{0,60}[)}]s?|<%[=-]?\s.{0,200}?(?:%>|$)|(?<![A-Za-z\d])@[A-Za-z_]{3,60}@/gs;

/** Reports whether a value is no secret itself: it refers to one, is a placeholder, or is masked. */
export function isReference(value: string): boolean {
  if (value === "" || references.some((pattern) => pattern.test(value))) return true;
  if (standIns.some((pattern) => pattern.test(value)) && isWordy(value)) return true;
  const call = /^([A-Za-z_$][\w$.]{2,})\([^()]*\)$/.exec(value)?.[1];
  if (call !== undefined && toBits(call) < 20 && toBits(value) < 45) return true;
  const rest = withoutTemplates(value);
  if (rest === value || (/[A-Za-z\d]/.test(rest) && toBits(rest) >= 24)) return false;
  // Random text may hold the signs of a template.
  return toBits(value) < Math.max(48, value.length * 2.4);
}

/** The text of a value outside its templates, such as `prefix-` of `prefix-${name}`. */
const withoutTemplates = (value: string): string =>
  /[${%<@]/.test(value) ? value.replaceAll(templates, "") : value;

/** Reports whether the letters of a value make words; digits stand at the end of words only. */
const isWordy = (value: string): boolean =>
  value.length < 8 || !/\d[A-Za-z]/.test(value) || toBits(value) < 24;

/** Words of documentation that stand in the place of a secret. */
const placeholder =
  /^(?:your|my[-_ ]|example|sample|changeme|change|replace|insert|enter|put|placeholder|password|passwd|secret|token|xxx|dummy|fake|mock|test|foo|bar|some|any|the|default|invalid|wrong|bad|none|pass\b)|example$|placeholder|(?:your|my)[-_ ]|-here$|_here$/i;

/** Reports whether a value is a placeholder of documentation or a template. */
export const isPlaceholder = (value: string): boolean =>
  isReference(value) ||
  isSample(value) ||
  (placeholder.test(value) && toBits(value.replace(placeholder, "")) < 24);

/** Reports whether a value that has the form of a secret was written as an example of one. */
export const isSample = (value: string): boolean =>
  /EXAMPLE|[xX]{6}|0{8}|(.)\1{7}|your[-_]|placeholder|redacted|changeme|replace[-_]?me|insert[-_]|[-_]here\b|dummy|example[-_.]|123456789[0a]|abcdefghij|ABCDEFGHIJ/.test(
    value,
  );

/** Reports whether a value is random: letters, digits and symbols that no word, path, date or version has. */
export function isRandom(value: string, bits: number): boolean {
  // Sentences have spaces; the keys of WordPress have some, too.
  if (/\s/.test(value) && toBits(value) < Math.max(100, value.length * 2.4)) return false;
  if (value.length < 8 || /[\r\n]|[^\0-\u024f]|^[a-z][a-z+.-]{1,20}:\/\//i.test(value)) return false;
  if (/^(?:\d{1,4}[-.:/T+ ]){2,}[\d.:+Z-]*$/.test(value)) return false;
  const words = /^[A-Za-z]{2,}(?:[-_./:][A-Za-z]{2,})+$/.test(value) ? value.split(/[^A-Za-z]/) : [];
  if (words.filter(isWord).length * 2 >= Math.max(1, words.length) && !words.some(isLongNoWord)) return false;
  // Regular expressions and alphabets.
  if (/^\(\?[:=!<]|\[\^?(?:a-z|A-Z|0-9)|\\[\\dwsbu.]/.test(value)) return false;
  return toBits(value) >= Math.max(bits, value.length * 1.6);
}

/**
 * Reports whether a value that the name of a password stands before has no form that a word, a name or a date has: digits that neither
 * repeat nor count, capitals within words, or signs.
 */
export function isUnlikeWords(value: string): boolean {
  if (value.length < 6 || value.length > 128) return false;
  if (/^\d+$/.test(value)) return toBits(value) >= 13 && !/^(?:19|20)\d{6}(?:\d{4,6})?$/.test(value);
  if (/^[A-Za-z]+$/.test(value)) {
    const pieces = value.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
    return /[a-z].*[A-Z].*[a-z]/.test(value) && value.length <= pieces.length * shortWord;
  }
  if (!/^[!-~]+$/.test(value) || /[A-Za-z]{3}|^[\d.:/-]+$|^[<{[(#.$%&]/.test(value)) return false;
  return toBits(value) >= 20;
}

/** Letters that the words of a name in camel case have on average, at least. */
const shortWord = 2.7;

const isLongNoWord = (letters: string): boolean => letters.length >= 10 && !isWord(letters);

/**
 * Reports whether a literal looks like a password chosen by a person: letters beside digits or punctuation,
 * and not what code usually has in strings, such as a path, a selector, a name, a sentence or a date.
 */
export function isPasswordLike(value: string): boolean {
  // Letters beyond Latin are a label.
  if (value.length < 6 || value.length > 128 || /[\s<>(){}[\]\\]|[^\0-\u024f]/.test(value)) return false;
  if (!/[A-Za-z]/.test(value) || !/[^A-Za-z]/.test(value) || new Set(value).size < 4) return false;
  if (/[A-Za-z]\d[A-Za-z]/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value)) return true;
  // Words joined by - _ . / or :, with digits only after a word: a name, a path, a media type, a version.
  if (/^[.#/@:~-]{0,2}[A-Za-z]{2,}\d{0,2}(?:[-_./:,]+[A-Za-z\d]{1,20}){1,20}[:/?!.]?$/.test(value))
    return false;
  if (/^[A-Za-z][a-z]*(?:[A-Z][a-z]*){0,12}[:.!?=,;]{0,3}$/.test(value)) return false;
  if (/^(?:https?|file|data|urn|ftp|wss?):/i.test(value) || /^v?\d+(?:\.\d+)+/.test(value)) return false;
  return /\d/.test(value) ? /[A-Za-z].*[A-Za-z]/.test(value) : /[!@#$%^&*+?~]/.test(value.slice(0, -1));
}
