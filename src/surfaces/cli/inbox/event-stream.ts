/** One event of a stream (WHATWG HTML §9.2). */
export interface ServerEvent {
  /** The last id that the stream has told so far; empty where there was none. */
  id: string;
  type: string;
  data: string;
}

export interface EventReader {
  /** The events that these bytes complete. @throws RangeError for one that is longer than any can be. */
  feed(bytes: Uint8Array): ServerEvent[];
  /** How long the server wants a client to wait before it connects again, in milliseconds. */
  readonly retryMs: number | undefined;
}

/** Characters of one event. A megabyte of body is six in the worst JSON, and the operator may allow more. */
const longest = 256 * 1024 * 1024;

/**
 * Reads what a server sends, cut wherever the network cuts it. An event that the end of the stream leaves without its
 * blank line is none (WHATWG HTML §9.2.6).
 */
export function createEventReader(): EventReader {
  // Takes the mark of byte order at the beginning away, and only there; what is no UTF-8 becomes U+FFFD.
  const decoder = new TextDecoder();
  let rest = "";
  let afterReturn = false;
  let size = 0;
  let id = "";
  let type = "";
  let data: string[] = [];
  let retryMs: number | undefined;

  function take(line: string): ServerEvent | undefined {
    if (line === "") return complete();
    const colon = line.indexOf(":");
    // A line that begins with a colon is a comment: it keeps the connection alive.
    if (colon === 0) return undefined;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") data.push(value);
    else if (name === "event") type = value;
    else if (name === "id" && !value.includes("\0")) id = value;
    else if (name === "retry" && /^\d{1,9}$/.test(value)) retryMs = Number(value);
    return undefined;
  }

  function complete(): ServerEvent | undefined {
    const event = { id, type: type === "" ? "message" : type, data: data.join("\n") };
    const some = data.length > 0;
    type = "";
    data = [];
    size = 0;
    return some ? event : undefined;
  }

  return {
    get retryMs() {
      return retryMs;
    },
    feed(bytes) {
      let text = decoder.decode(bytes, { stream: true });
      if (text === "") return [];
      size += text.length;
      if (size > longest) throw new RangeError("an event is longer than any that an inbox can hold");
      // The line feed of a pair that the network has cut in two.
      if (afterReturn && text.startsWith("\n")) text = text.slice(1);
      afterReturn = text.endsWith("\r");
      const events: ServerEvent[] = [];
      const [first = "", ...lines] = text.split(/\r\n|\r|\n/);
      let line = rest + first;
      for (const next of lines) {
        const event = take(line);
        if (event !== undefined) events.push(event);
        line = next;
      }
      rest = line;
      return events;
    },
  };
}
