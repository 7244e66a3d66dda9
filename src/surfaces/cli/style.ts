import type { Host, Output } from "./host.ts";

type Paint = (text: string) => string;

export interface Style {
  bold: Paint;
  dim: Paint;
  red: Paint;
  yellow: Paint;
}

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], yellow: [33, 39] } as const;
const plain: Style = {
  bold: (text) => text,
  dim: (text) => text,
  red: (text) => text,
  yellow: (text) => text,
};

/** Colours on a terminal, unless NO_COLOR is set (no-color.org); plain text elsewhere. */
export function createStyle(output: Pick<Output, "isTTY">, env: Host["env"]): Style {
  if (!output.isTTY || (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb") return plain;
  return Object.fromEntries(
    Object.entries(codes).map(([name, [on, off]]) => [
      name,
      (text: string) => `\u001b[${on}m${text}\u001b[${off}m`,
    ]),
  ) as unknown as Style;
}
