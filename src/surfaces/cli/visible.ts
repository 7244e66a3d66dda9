/**
 * Makes text safe for a terminal or a CI log. A document, a file name or an argument could otherwise contain escape
 * sequences that rewrite the screen, bidirectional controls that reverse a line, or commands to a CI runner. Each
 * character is replaced by one character.
 */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, toPicture).replaceAll(runnerCommand, "\u266f#");

/**
 * Like `visible`, for text at the start of a line: GitHub Actions reads a line that starts with `::`, after white
 * space, and has another `::` as a command.
 */
export const visibleLine = (text: string): string => withoutCommand(visible(text));

/** Like `visibleLine`, for each line of a message of ours that may quote other text. */
export const visibleLines = (text: string): string => text.split("\n").map(visibleLine).join("\n");

/**
 * Defuses a line of visible text that is a runner command: `::` at its start and once more. An address such as `::1` at the
 * start of a line stays as it is.
 */
export const withoutCommand = (line: string): string => line.replace(/^(\s*):(?=:.*::)/u, "$1\u2236");

/**
 * `##[error]` of GitHub Actions and Azure Pipelines, `##vso[task.setvariable]` of Azure Pipelines and `##teamcity[…]` are
 * commands anywhere in a line.
 */
export const runnerCommand = /##(?=[A-Za-z]*\[)/g;

function toPicture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
