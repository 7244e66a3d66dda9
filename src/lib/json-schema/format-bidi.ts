/** Letters and digits of bidirectional class R, AL or AN (UAX #9); those from ۰ to ۹ are European numbers. */
const rightToLeft =
  /(?![\u06f0-\u06f9])[\p{L}\p{Nd}](?<=[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])/u;

/** Characters of the classes EN, ES and ON that IDNA allows. A left-to-right label cannot begin with one. */
const weak =
  "\\d\\u06f0-\\u06f9\\u00b7\\u02b9\\u02ba\\u02c6-\\u02cf\\u02ec\\u0375\\u30fb\\ua717-\\ua71f\\ua788-";
const beginsWeak = new RegExp(`^[\\p{M}${weak}]`, "u");
/** A number may end a label, a neutral character may not. */
const endsNeutral = new RegExp(`[${weak.replace("\\d\\u06f0-\\u06f9", "")}]\\p{Mn}*$`, "u");

/**
 * Checks the labels of a host name, all U-labels or ASCII, against each other (RFC 5893 §2): if one has
 * right-to-left letters, the others must begin with a letter (rule 1) and end with a letter or a digit (rules
 * 3 and 6). The rules within a right-to-left label (2 to 4) are checked with the label.
 */
export const keepsBidiRule = (labels: readonly string[]): boolean =>
  !labels.some((label) => rightToLeft.test(label)) ||
  labels.every((label) => !beginsWeak.test(label) && (rightToLeft.test(label) || !endsNeutral.test(label)));
