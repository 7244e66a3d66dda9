import { useSignal } from "@preact/signals";
import { createContext, type JSX } from "preact";
import { useContext, useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";

export interface WindowProps {
  /** Number of rows. */
  count: number;
  /** Height of a row in rem, until it has been drawn. */
  height: number;
  /** The element of a block of rows; those of a table are its bodies. */
  element?: "div" | "tbody";
  /** Draws the rows of a block, from the first to before the last. */
  children(from: number, to: number): JSX.Element[];
}

/** Rows that are drawn, or not, together. */
export const blockRows = 50;

/** Draws only the rows that are seen and some around them. Rows may have any height: a block keeps that which it had when it was drawn. */
export function Window({ count, height, element = "div", children }: WindowProps): JSX.Element {
  const blocks = Math.ceil(count / blockRows);
  const watch = useMemo(createWatch, []);
  useEffect(() => watch.close, []);
  return (
    <Watch.Provider value={watch}>
      {Array.from({ length: blocks }, (_, index) => (
        <Block
          key={index}
          index={index}
          element={element}
          rows={Math.min(count - index * blockRows, blockRows)}
          height={height}
          draw={children}
        />
      ))}
    </Watch.Provider>
  );
}

interface Watched {
  add(element: Element, seen: (isNear: boolean) => void): () => void;
  close(): void;
}

const Watch = createContext<Watched | undefined>(undefined);

/** One observer for all blocks, made when the first of them is in the page. */
function createWatch(): Watched {
  const callbacks = new WeakMap<Element, (isNear: boolean) => void>();
  let observer: IntersectionObserver | undefined;
  return {
    add(element, seen) {
      observer ??= new IntersectionObserver(
        (entries) => {
          for (const { target, isIntersecting } of entries) callbacks.get(target)?.(isIntersecting);
        },
        { rootMargin: "800px 0px" },
      );
      callbacks.set(element, seen);
      observer.observe(element);
      return () => observer?.unobserve(element);
    },
    close: () => observer?.disconnect(),
  };
}

interface BlockProps {
  index: number;
  element: "div" | "tbody";
  rows: number;
  height: number;
  draw: WindowProps["children"];
}

function Block({ index, element: Element, rows, height, draw }: BlockProps): JSX.Element {
  const place = useRef<HTMLDivElement & HTMLTableSectionElement>(null);
  const watch = useContext(Watch);
  const isNear = useSignal(index < 1);
  const measured = useRef<number | undefined>(undefined);

  useEffect(() => {
    const element = place.current;
    if (element === null || watch === undefined) return undefined;
    return watch.add(element, (found) => {
      if (!found && isNear.value) measured.current = element.getBoundingClientRect().height;
      isNear.value = found;
    });
  }, []);

  useLayoutEffect(() => {
    const gap = place.current?.querySelector<HTMLElement>(":scope > .v-gap");
    // Through the object model: the policy refuses attributes.
    if (gap !== undefined && gap !== null)
      gap.style.height = measured.current === undefined ? `${rows * height}rem` : `${measured.current}px`;
  });

  const from = index * blockRows;
  return (
    <Element ref={place}>
      {isNear.value ? (
        draw(from, from + rows)
      ) : Element === "tbody" ? (
        <tr class="v-gap" />
      ) : (
        <div class="v-gap" />
      )}
    </Element>
  );
}
