import { maxHeaderSize } from "node:http";

/** A head that Node's parser gave up because of its size, as far as it is known. */
export interface OverlongHead {
  /** Whether the URL is too long; otherwise the headers are. */
  isUrl: boolean;
  accept: string | undefined;
}

/** Most bytes that are looked at for the end of the head, and how many of its last are kept. */
const maxBytes = 1_048_576;
const kept = 65_536;
/** The longest wait for the rest of the head. */
const patienceMs = 1000;

/**
 * Reads on until the end of such a head, because its Accept says whether a browser followed a link that is too long. Returns
 * what takes each further packet; `done` is called once.
 */
export function readOverlongHead(done: (head: OverlongHead) => void): (packet: Buffer) => void {
  let line = "";
  let isLineWhole = false;
  let rest = "";
  let total = 0;
  let isDone = false;
  const timer = setTimeout(finish, patienceMs);

  function finish(): void {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    done({
      isUrl: isLineWhole && isOverlongLine(line),
      accept: /\naccept:[ \t]*([^\r\n]*)/i.exec(rest)?.[1],
    });
  }

  return (packet) => {
    if (isDone) return;
    total += packet.length;
    let text = packet.toString("latin1");
    if (!isLineWhole) {
      const end = text.indexOf("\n");
      isLineWhole = end !== -1;
      line = (line + text.slice(0, isLineWhole ? end : undefined)).slice(-kept);
      text = isLineWhole ? text.slice(end) : "";
    }
    rest = (rest + text).slice(-kept);
    // Only a request line decides who asks; a head with long headers is refused at once.
    const isUrl = !isLineWhole || isOverlongLine(line);
    if (!isUrl || /\n\r?\n/.test(rest) || total > maxBytes) finish();
  };
}

/** Reports whether this is the end of a request line that began in an earlier packet, or a long request line. */
const isOverlongLine = (line: string): boolean =>
  / HTTP\/1\.[01]\r?$/.test(line) && (!/^[A-Z]+ [/h]/.test(line) || line.length > maxHeaderSize / 2);
