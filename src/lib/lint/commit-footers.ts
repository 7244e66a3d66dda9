import type { CommitFinding, CommitLine } from "./commit-message.ts";

/** Checks footers. Conventional Commits requires capitals only for BREAKING CHANGE, which tools look for. */
export function checkFooters(lines: readonly CommitLine[]): CommitFinding[] {
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
