/** Makes a function compute once for each object, on demand: several fields of an item need the same look-up. */
export function oncePer<Item extends object, More extends readonly unknown[], Value>(
  compute: (item: Item, ...more: More) => Promise<Value>,
): (item: Item, ...more: More) => Promise<Value> {
  const known = new WeakMap<Item, Promise<Value>>();
  return (item, ...more) => {
    const value = known.get(item) ?? compute(item, ...more);
    known.set(item, value);
    return value;
  };
}
