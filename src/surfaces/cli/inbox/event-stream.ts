/** One event of a stream (WHATWG HTML §9.2). */
export interface ServerEvent {
  /** The last id that the stream has sent; empty if none. */
  id: string;
  type: string;
  data: string;
}

export interface EventReader {
  /** Returns the events that these bytes complete. @throws RangeError for an event that is too long. */
  feed(bytes: Uint8Array): ServerEvent[];
  /** The reconnection time that the server sent, in milliseconds. */
  readonly retryMs: number | undefined;
}

/** Most characters of one event. JSON escapes can make a body six times as long, and the operator may raise its limit. */
const maxBytes = 256 * 1024 * 1024;

/**
 * Parses an event stream from chunks of any size. An event without its blank line at the end of the stream is dropped
 * (WHATWG HTML §9.2.6).
 */
export function createEventReader(): EventReader {
  // Removes a byte order mark at the start only; invalid UTF-8 becomes U+FFFD.
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
    // A line that starts with a colon is a comment, which keeps the connection alive.
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
    const hasData = data.length > 0;
    type = "";
    data = [];
    size = 0;
    return hasData ? event : undefined;
  }

  return {
    get retryMs() {
      return retryMs;
    },
    feed(bytes) {
      let text = decoder.decode(bytes, { stream: true });
      if (text === "") return [];
      size += text.length;
      if (size > maxBytes) throw new RangeError("an event is longer than any that an inbox can contain");
      // The line feed of a CRLF that was split between two chunks.
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
