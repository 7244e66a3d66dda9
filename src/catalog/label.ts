/**
 * The rule for names and labels that people choose and others read, in terminals, logs, pages and mails: no control characters,
 * line breaks or bidirectional controls, which show something else than what is there.
 */
export const labelForm = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u;

/** The sentence for a label that breaks the rule. */
export const labelNeeds =
  "Must be one line without control characters, such as tabs, escape sequences and marks that change the direction of text.";
