/**
 * Text as a terminal or the log of a CI job may show it. A document, a file name or an argument could otherwise carry
 * escape sequences that rewrite the screen, bidirectional controls that turn a line around, or commands to the job's
 * runner. One character stays one character.
 */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, toPicture).replaceAll(runnerCommand, "\u266f#");

/**
 * Like `visible`, for text that begins a line: GitHub Actions takes a line that begins with `::`, after white space, for a
 * command.
 */
export const visibleLine = (text: string): string => withoutCommand(visible(text));

/** The same for text of several lines that is ours but may quote what is not. */
export const visibleLines = (text: string): string => text.split("\n").map(visibleLine).join("\n");

/** Makes a line that consists of visible text harmless if it begins like a command. */
export const withoutCommand = (line: string): string => line.replace(/^(\s*):(?=:)/u, "$1\u2236");

/**
 * `##[error]` of GitHub Actions and Azure Pipelines, `##vso[task.setvariable]` of Azure Pipelines and `##teamcity[…]` are
 * commands wherever in a line they stand.
 */
export const runnerCommand = /##(?=[A-Za-z]*\[)/g;

function toPicture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
