/** An item of a heap; `-1` while it is in none. */
export interface Heaped {
  slot: number;
}

export interface Heap<Item extends Heaped> {
  /** The least item; undefined if the heap is empty. */
  first(): Item | undefined;
  push(item: Item): void;
  /** Does nothing for an item that is not in the heap. */
  remove(item: Item): void;
  /** In no particular order. */
  items(): readonly Item[];
}

/** A binary heap that knows the place of each item, so that any item can be removed in logarithmic time. */
export function createHeap<Item extends Heaped>(isBefore: (one: Item, other: Item) => boolean): Heap<Item> {
  const items: Item[] = [];

  function put(item: Item, slot: number): void {
    items[slot] = item;
    item.slot = slot;
  }

  /** Moves an item up or down: only one of the loops does anything. */
  function settle(item: Item, from: number): void {
    let slot = from;
    while (slot > 0) {
      const parent = items[(slot - 1) >> 1] as Item;
      if (!isBefore(item, parent)) break;
      put(parent, slot);
      slot = (slot - 1) >> 1;
    }
    for (;;) {
      const right = 2 * slot + 2;
      let least = items[right - 1];
      const other = items[right];
      if (other !== undefined && isBefore(other, least as Item)) least = other;
      if (least === undefined || !isBefore(least, item)) break;
      const next = least.slot;
      put(least, slot);
      slot = next;
    }
    put(item, slot);
  }

  return {
    first: () => items[0],
    push(item) {
      items.push(item);
      settle(item, items.length - 1);
    },
    remove(item) {
      const { slot } = item;
      if (slot === -1) return;
      item.slot = -1;
      const last = items.pop() as Item;
      if (last !== item) settle(last, slot);
    },
    items: () => items,
  };
}
