/** Patterns of values that are not secrets. */
const references: readonly RegExp[] = [
  // :x of SQL, ${X}, $(cmd), $X, {{x}}, {x}, %s, %(x)s, #{x}, <x>, [x] and (x): templates and masks.
  /^(?:\W{1,3}$|:\w+$|\$[{(]|\$\w+$|\{[\w.:-]*\}|\{\{|%[sdv@]$|%[({%]|#\{|<.*>$|[[(][\w :-]{0,40}[\])]$)|\$\{|\{\{.{1,80}\}\}/s,
  /^(?:(.)\1{2,}|[-*•._=~#?!\s]{1,64}|[xX]{3,}.*|[*•]{2,}.*|.*(?:\.\.\.|…|\*{3}|•{3}))$/s,
  /^\W*(?:redacted|masked|hidden|filtered|removed|none|null|nil|undefined|true|false|nan|n\/a|todo|tbd|unset|empty|required|optional|yes|no|on|off|include|omit|same-origin)\W*$/i,
  // References to a secret store.
  /^(?:vault|ssm|secretsmanager|aws-sm|gcp-sm|keyring|keychain|op|env|file|ref|arn|azurekeyvault|sops|doppler):|^@Microsoft\.|^!(?:Ref|Sub|GetAtt|vault|secret|env|reference)\b/,
  /^(?:process|os|getenv|env|ENV|import|System|vars?|local|data|module|secrets|config|settings|self|this|params?|options?|args|request|req|ctx|context|props|state|input)(?:\??\.[A-Za-z]|[[(])/,
];

/** Reports whether a value refers to a secret, stands for none, or is masked, and so is not one itself. */
export const isReference = (value: string): boolean =>
  value === "" || references.some((pattern) => pattern.test(value));

/** Reports whether a value is a placeholder of documentation or a template. */
export function isPlaceholder(value: string): boolean {
  return (
    isReference(value) ||
    /^[$<{[%*]|^(?:your|my[-_ ]|example|sample|changeme|change|replace|insert|enter|put|placeholder|password|passwd|secret|token|xxx|dummy|fake|mock|test|foo|bar|some|any|the|default|invalid|wrong|bad|none|pass\b)|example$|placeholder|(?:your|my)[-_ ]|-here$|_here$/i.test(
      value,
    )
  );
}

/** Matches letters and digits, mixed with few repeats, but not a path, a version or a name of short parts. */
export function isRandom(value: string): boolean {
  if (
    value.length < 12 ||
    !/\d/.test(value) ||
    !/[A-Za-z]/.test(value) ||
    /^\w+:\/\/|^[~.]{0,2}\//.test(value)
  )
    return false;
  const name =
    /^[\w./-]+$/.test(value) && value.split(/[./_-]/).every((part) => /^[A-Za-z]*$|^.{0,9}$/.test(part));
  return !name && toEntropy(value) >= 3.4;
}

/** Matches letters and digits that alternate more often than in a name with numbers, such as v1beta1. */
export const isMixed = (value: string): boolean =>
  /^[A-Za-z\d]{10,64}$/.test(value) && /(?:[A-Za-z]{1,4}\d{1,4}){3}[A-Za-z]/.test(value);

/**
 * Reports whether a literal looks like a password chosen by a person: letters beside digits or punctuation,
 * and not what code usually has in strings, such as a path, a selector, a name, a sentence or a date.
 */
export function isPasswordLike(value: string): boolean {
  if (value.length < 6 || value.length > 128 || /[\s<>(){}[\]\\]/.test(value)) return false;
  if (!/[A-Za-z]/.test(value) || !/[^A-Za-z]/.test(value) || new Set(value).size < 4) return false;
  if (/[A-Za-z]\d[A-Za-z]/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value)) return true;
  // Words joined by - _ . / or :, with digits only after a word: a name, a path, a media type, a version.
  if (/^[.#/@:~-]{0,2}[A-Za-z]{2,}\d{0,2}(?:[-_./:,]+[A-Za-z\d]{1,20}){1,20}[:/?!.]?$/.test(value))
    return false;
  if (/^[A-Za-z][a-z]*(?:[A-Z][a-z]*){0,12}[:.!?=,;]{0,3}$/.test(value)) return false;
  if (/^(?:https?|file|data|urn|ftp|wss?):/i.test(value) || /^v?\d+(?:\.\d+)+/.test(value)) return false;
  return /\d/.test(value) ? /[A-Za-z].*[A-Za-z]/.test(value) : /[!@#$%^&*+?~]/.test(value.slice(0, -1));
}

/** Shannon entropy in bits per character. */
function toEntropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
