/** One after the other what has a name in common. */
export type Sequence = <Result>(names: readonly string[], work: () => Promise<Result>) => Promise<Result>;

/** Acts of the same name wait for one another, whatever becomes of them; all others do not. */
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
