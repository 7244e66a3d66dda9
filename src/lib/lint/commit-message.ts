export interface CommitFinding {
  rule: string;
  severity: "error" | "warning";
  message: string;
  /** In UTF-16 code units of the message, from 0. */
  index: number;
}

export interface CommitRules {
  types: readonly string[];
  /** In code points. */
  maxHeader: number;
  /** Undefined allows any. */
  scopes?: readonly string[] | undefined;
}

export interface CommitLine {
  text: string;
  index: number;
}

/** Checks a message against Conventional Commits 1.0.0 and git's own conventions. */
export function lintCommitMessage(message: string, rules: CommitRules): CommitFinding[] {
  const lines = readLines(message);
  const [header, ...rest] = lines;
  if (header === undefined) return [toError("empty-message", "The message is empty.", 0)];
  // Messages that git writes itself stay as they are.
  if (/^(?:Merge|Revert "|Reapply ")/.test(header.text)) return [];
  const found = checkHeader(header, rules);
  const [next] = rest;
  if (next !== undefined && next.text.trim() !== "") {
    found.push(
      toError("body-blank-line", "A blank line must separate the header from the body.", next.index),
    );
  }
  return [...found, ...checkFooters(rest)];
}

const toError = (rule: string, message: string, index: number): CommitFinding => ({
  rule,
  severity: "error",
  message,
  index,
});

/** Drops comments, the part below the scissors of `git commit --verbose`, and blank lines at both ends. */
function readLines(message: string): CommitLine[] {
  const lines: CommitLine[] = [];
  for (const { 0: text, index } of message.matchAll(/[^\r\n]*(?:\r\n|[\r\n]|$)/g)) {
    if (/^# -{8,} >8 -{8,}/.test(text)) break;
    if (!text.startsWith("#")) lines.push({ text: text.replace(/[\r\n]+$/, ""), index });
  }
  while (lines.length > 0 && lines.at(-1)?.text.trim() === "") lines.pop();
  const first = lines.findIndex(({ text }) => text.trim() !== "");
  return lines.slice(Math.max(first, 0));
}

function checkHeader({ text, index }: CommitLine, rules: CommitRules): CommitFinding[] {
  const found: CommitFinding[] = [];
  const [mark = ""] = /^(?:(?:fixup|squash|amend)! )+/.exec(text) ?? [];
  if (mark !== "") {
    const message = `${mark.trim()} commits are to be squashed before they are shared.`;
    found.push({ rule: "autosquash", severity: "warning", message, index });
  }
  const { length, cut } = measure(text, rules.maxHeader);
  if (length > rules.maxHeader) {
    found.push(
      toError(
        "header-length",
        `The header has ${length} characters; the limit is ${rules.maxHeader}.`,
        index + cut,
      ),
    );
  }
  return [...found, ...checkParts(text.slice(mark.length), index + mark.length, rules)];
}

/**
 * Counts the characters that a person sees, and the code units of the first `max` of them, without an array of them: a line may have millions. A
 * family of emoji is one. Beyond 10,000 code units, code points are counted, which is much faster.
 */
function measure(text: string, max: number): { length: number; cut: number } {
  let length = 0;
  let cut = 0;
  const plain = text.length > 10_000 || /^[\0-\x7f]*$/.test(text);
  const characters = plain ? text : Iterator.from(graphemes.segment(text)).map(({ segment }) => segment);
  for (const character of characters) {
    if (length < max) cut += character.length;
    length++;
  }
  return { length, cut };
}

const graphemes = new Intl.Segmenter("en");

function checkParts(header: string, index: number, rules: CommitRules): CommitFinding[] {
  const parts = /^([^\s:()!]*)(\([^()\r\n]*\))?(!)?:/.exec(header);
  if (parts === null || parts[1] === "") {
    return [toError("header-format", 'Expected "type: description" or "type(scope): description".', index)];
  }
  const [prefix, type = "", scope] = parts;
  const found = checkType(type, index, rules.types);
  if (scope !== undefined)
    found.push(...checkScope(scope.slice(1, -1), index + type.length + 1, rules.scopes));
  const description = header.slice(prefix.length);
  const text = description.trim();
  const at = index + prefix.length;
  if (text === "") found.push(toError("description-empty", "The description is missing.", at));
  else if (!description.startsWith(" "))
    found.push(toError("header-format", "A space must follow the colon.", at));
  if (/[^.]\.$/.test(text)) {
    const message = "The description ends with a full stop.";
    found.push({
      rule: "description-full-stop",
      severity: "warning",
      message,
      index: at + description.trimEnd().length - 1,
    });
  }
  return found;
}

function checkType(type: string, index: number, types: readonly string[]): CommitFinding[] {
  if (types.includes(type)) return [];
  const near = types.find((one) => one.toLowerCase() === type.toLowerCase());
  if (near !== undefined) {
    return [{ rule: "type-case", severity: "warning", message: `Write the type as ${near}.`, index }];
  }
  return [
    toError(
      "type-unknown",
      `${JSON.stringify(type.slice(0, 64))} is not an allowed type; expected ${types.join(", ")}.`,
      index,
    ),
  ];
}

function checkScope(scope: string, index: number, scopes: CommitRules["scopes"]): CommitFinding[] {
  if (scope.trim() === "")
    return [toError("scope-empty", "The scope is empty; remove the parentheses.", index)];
  if (scopes === undefined || scopes.includes(scope)) return [];
  const known = new Set(scopes);
  const wrong = scope.split(",").find((one) => !known.has(one.trim()));
  if (wrong === undefined) return [];
  const shown = JSON.stringify(wrong.trim().slice(0, 64));
  return [
    toError(
      "scope-unknown",
      `${shown} is not an allowed scope; expected ${scopes.join(", ")}.`,
      index + scope.indexOf(wrong),
    ),
  ];
}

/** Checks footers. Conventional Commits requires capitals only for BREAKING CHANGE, which tools look for. */
function checkFooters(lines: readonly CommitLine[]): CommitFinding[] {
  const found: CommitFinding[] = [];
  for (const [at, { text, index }] of lines.entries()) {
    const footer = /^(breaking[ -]change)(s?)([ \t]*)(:| #|)(.*)$/i.exec(text);
    if (footer === null) continue;
    const [, token = "", plural, gap, separator, description = ""] = footer;
    // A sentence of the body may begin with these words.
    if (separator === "" && (token !== token.toUpperCase() || description.trim() !== "")) continue;
    const add = (message: string, column = 0): void => {
      found.push({ rule: "breaking-change", severity: "error", message, index: index + column });
    };
    if (token !== token.toUpperCase() || plural !== "") add('Expected "BREAKING CHANGE: ", in capitals.');
    else if (gap !== "" || (separator === ":" && !/^\s|^$/.test(description)))
      add('Expected a colon and a space after "BREAKING CHANGE".', token.length);
    if (description.trim() === "" && isBlank(lines[at + 1]))
      add("Describe the breaking change after the colon.", text.length);
  }
  return found;
}

const isBlank = (line: CommitLine | undefined): boolean => line === undefined || line.text.trim() === "";
