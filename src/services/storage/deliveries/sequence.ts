/** Runs work one at a time for each name. */
export type Sequence = <Result>(names: readonly string[], work: () => Promise<Result>) => Promise<Result>;

/** Calls with a name in common wait for one another, whatever their outcome; other calls do not. */
export function createSequence(): Sequence {
  const last = new Map<string, Promise<unknown>>();
  return (names, work) => {
    const before = names.flatMap((name) => last.get(name) ?? []);
    const done = before.length === 0 ? work() : Promise.all(before).then(work);
    const over = done.then(
      () => undefined,
      () => undefined,
    );
    for (const name of names) last.set(name, over);
    void over.then(() => {
      for (const name of names) if (last.get(name) === over) last.delete(name);
      return undefined;
    });
    return done;
  };
}
