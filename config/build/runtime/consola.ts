/**
 * What listhen uses of consola: it warns of a host name or a port that it will not take. The real one opens
 * stdout and stderr when it is loaded, 17 ms before the first request can be answered.
 */
export const consola = { warn: say, log: say };

export default consola;

/** `consola/utils`: listhen's colours are for the banner that we switch off. */
const plain = (text: string): string => text;
export const colors = { bold: plain, cyan: plain, underline: plain };
export const getColor = (): ((text: string) => string) => plain;

function say(...parts: unknown[]): void {
  process.stderr.write(`${parts.join(" ")}\n`);
}
