const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// The standard's header value: bytes without NUL, CR and LF.
// oxlint-disable-next-line no-control-regex
const fieldValue = /^[\x01-\x09\x0b\x0c\x0e-\xff]*$/;

type Init = Iterable<Iterable<string>> | Readonly<Record<string, string>>;

/**
 * The Fetch standard's `Headers` (fetch.spec.whatwg.org §5.1, guard "none") without undici behind it.
 * The build gives it to h3 and srvx; it is iterable, so that the global classes take it as an init.
 */
export class Headers implements Iterable<[string, string]> {
  // A field of many values is one string, as it is sent; cookies cannot be joined (RFC 6265 §3).
  #fields = new Map<string, string>();
  #cookies: string[] = [];

  constructor(init?: Init) {
    if (init === undefined) return;
    if (init === null || typeof init !== "object") throw new TypeError("Headers: the init is not an object");
    if (typeof (init as Iterable<Iterable<string>>)[Symbol.iterator] === "function") {
      for (const pair of init as Iterable<Iterable<string>>) {
        const [name, value, ...rest] = pair;
        if (name === undefined || value === undefined || rest.length > 0) {
          throw new TypeError("Headers: an entry is not a name and a value");
        }
        this.append(name, value);
      }
    } else {
      for (const [name, value] of Object.entries(init as Record<string, string>)) this.append(name, value);
    }
  }

  static [Symbol.hasInstance](value: unknown): boolean {
    if (Object.prototype.isPrototypeOf.call(this.prototype, value as object)) return true;
    const tagged = value as { [Symbol.toStringTag]?: unknown } | null | undefined;
    return (
      this === Headers && tagged?.[Symbol.toStringTag] === "Headers" && value instanceof globalThis.Headers
    );
  }

  get [Symbol.toStringTag](): string {
    return "Headers";
  }

  append(name: string, value: string): void {
    const key = toName(name);
    const text = toValue(value);
    if (key === "set-cookie") {
      this.#cookies.push(text);
      return;
    }
    const before = this.#fields.get(key);
    this.#fields.set(key, before === undefined ? text : `${before}${key === "cookie" ? "; " : ", "}${text}`);
  }

  delete(name: string): void {
    const key = toName(name);
    if (key === "set-cookie") this.#cookies = [];
    else this.#fields.delete(key);
  }

  get(name: string): string | null {
    const key = toName(name);
    if (key === "set-cookie") return this.#cookies.length === 0 ? null : this.#cookies.join(", ");
    return this.#fields.get(key) ?? null;
  }

  getSetCookie(): string[] {
    return [...this.#cookies];
  }

  has(name: string): boolean {
    const key = toName(name);
    return key === "set-cookie" ? this.#cookies.length > 0 : this.#fields.has(key);
  }

  set(name: string, value: string): void {
    const key = toName(name);
    const text = toValue(value);
    if (key === "set-cookie") this.#cookies = [text];
    else this.#fields.set(key, text);
  }

  forEach(callback: (value: string, name: string, headers: Headers) => void, thisArg?: unknown): void {
    for (const [name, value] of this) callback.call(thisArg, value, name, this);
  }

  entries(): ArrayIterator<[string, string]> {
    const all: [string, string][] = [...this.#fields];
    for (const cookie of this.#cookies) all.push(["set-cookie", cookie]);
    // Sorting is stable: cookies keep their order.
    return all.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).values();
  }

  *keys(): Generator<string> {
    for (const [name] of this.entries()) yield name;
  }

  *values(): Generator<string> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): ArrayIterator<[string, string]> {
    return this.entries();
  }
}

function toName(name: unknown): string {
  const text = String(name);
  if (!fieldName.test(text)) throw new TypeError(`Headers: invalid name ${JSON.stringify(text)}`);
  return text.toLowerCase();
}

function toValue(value: unknown): string {
  const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  if (!fieldValue.test(text)) throw new TypeError("Headers: invalid value");
  return text;
}
