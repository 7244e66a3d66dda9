/** The statistics by which Git classifies a file as text or binary, if attributes leave that to it. */
export interface TextStatistics {
  add(piece: Uint8Array): void;
  /** The number of line ends CR LF. */
  pairs(): number;
  isBinary(): boolean;
}

/** Counts as Git does (`gather_stats` and `convert_is_binary` in convert.c). */
export function createTextStatistics(): TextStatistics {
  let pairs = 0;
  let returns = 0;
  let zeros = 0;
  let printable = 0;
  let unprintable = 0;
  let last = -1;
  return {
    add(piece) {
      for (const byte of piece) {
        if (byte === lineFeed) {
          if (last === carriageReturn) pairs++;
        } else if (byte === carriageReturn) returns++;
        else if (byte === 0x7f || (byte < 0x20 && !printableControls.has(byte))) {
          unprintable++;
          if (byte === 0) zeros++;
        } else printable++;
        last = byte;
      }
    },
    pairs: () => pairs,
    // The end of a file of CP/M and DOS does not count.
    isBinary: () =>
      returns > pairs || zeros > 0 || Math.floor(printable / 128) < unprintable - (last === 0x1a ? 1 : 0),
  };
}

/**
 * Replaces CR LF with LF in a piece of a file. A CR at the end of the piece is left out, because what follows decides about it.
 */
export function convertPiece(piece: Uint8Array): Uint8Array {
  const converted = Buffer.allocUnsafe(piece.length);
  let length = 0;
  for (const [at, byte] of piece.entries()) {
    if (byte === carriageReturn && (at === piece.length - 1 || piece[at + 1] === lineFeed)) continue;
    converted[length++] = byte;
  }
  return converted.subarray(0, length);
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Backspace, tab, form feed and escape. */
const printableControls: ReadonlySet<number> = new Set([0x08, 0x09, 0x0c, 0x1b]);
