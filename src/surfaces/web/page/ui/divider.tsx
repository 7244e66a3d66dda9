import { useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

export interface DividerProps {
  /** Names what it resizes. */
  label: string;
  /** Under which the browser keeps the place. */
  name: string;
  /** Whether it stands between two columns, and not between two rows. */
  isUpright: boolean;
  /** The grid that it divides: gets the shares of both parts as `--first-column` and `--last-column`, or of rows. */
  grid: RefObject<HTMLElement | null>;
  /** Share of the first part before anybody moves it, in percent. */
  first: number;
}

/** The first part has at least and at most so many percent. */
const [least, most] = [10, 90] as const;
const step = 5;

/** A line between two parts of a page: moved by a pointer or by arrows, halved by a double click, and remembered. */
export function Divider({ label, name, isUpright, grid, first }: DividerProps): JSX.Element {
  const share = useSignal(read(name) ?? first);

  useLayoutEffect(() => {
    const part = isUpright ? "column" : "row";
    grid.current?.style.setProperty(`--first-${part}`, `${share.value}fr`);
    grid.current?.style.setProperty(`--last-${part}`, `${100 - share.value}fr`);
  }, [share.value]);

  function move(to: number): void {
    const kept = Math.min(most, Math.max(least, Math.round(to * 10) / 10));
    share.value = kept;
    write(name, kept);
  }

  function follow({ clientX, clientY }: PointerEvent): void {
    const box = grid.current?.getBoundingClientRect();
    if (box === undefined) return;
    move(isUpright ? ((clientX - box.left) / box.width) * 100 : ((clientY - box.top) / box.height) * 100);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const [less, more] = isUpright ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    const places: Readonly<Record<string, number>> = {
      [less]: share.value - step,
      [more]: share.value + step,
      Home: least,
      End: most,
    };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    move(place);
  }

  return (
    <div
      class={isUpright ? "divider" : "divider flat"}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={isUpright ? "vertical" : "horizontal"}
      aria-valuenow={Math.round(share.value)}
      aria-valuemin={least}
      aria-valuemax={most}
      onKeyDown={onKeyDown}
      onDblClick={() => move(50)}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.focus();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event);
      }}
    />
  );
}

function read(name: string): number | undefined {
  try {
    const found = Number(localStorage.getItem(`penknife.divider.${name}`) ?? "");
    return found >= least && found <= most ? found : undefined;
  } catch {
    // A browser may refuse its storage.
    return undefined;
  }
}

function write(name: string, share: number): void {
  try {
    localStorage.setItem(`penknife.divider.${name}`, String(share));
  } catch {
    // Then the page forgets.
  }
}
