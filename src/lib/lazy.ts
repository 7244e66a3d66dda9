/** A value that the first call makes and every later call shares. */
export interface Lazy<T> {
  /** Returns the value. A rejection is not cached: the next call makes the value again. */
  (): Promise<T>;
  /** Returns the value if a call has asked for it and it could be made, otherwise undefined. Makes nothing. */
  made(): Promise<T | undefined>;
  /** Makes every later call reject with `reason`. Returns what `made` returns, so that the value can be closed. */
  end(reason: Error): Promise<T | undefined>;
}

export function lazy<T>(make: () => Promise<T>): Lazy<T> {
  let value: Promise<T> | undefined;
  let ended: Error | undefined;

  function get(): Promise<T> {
    if (ended !== undefined) return Promise.reject(ended);
    return (value ??= make().catch((error: unknown) => {
      value = undefined;
      throw error;
    }));
  }

  const made = async (): Promise<T | undefined> => value?.catch(() => undefined);

  function end(reason: Error): Promise<T | undefined> {
    ended = reason;
    return made();
  }

  return Object.assign(get, { made, end });
}
