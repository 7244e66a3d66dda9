/** Appends the items of lists one by one: V8 limits the arguments of a call, and so those of `push(...list)`. */
export function append<Item>(to: Item[], ...lists: readonly (readonly Item[])[]): void {
  for (const list of lists) for (const item of list) to.push(item);
}
