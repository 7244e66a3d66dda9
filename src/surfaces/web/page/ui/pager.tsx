import type { JSX } from "preact";

/** The position of a list: the cursor of each page from the second one on, up to the present one. */
export type Cursors = readonly string[];

export interface PageInfo {
  hasNextPage: boolean;
  endCursor: string | null;
}

export interface PagerProps {
  cursors: Cursors;
  /** The end of the present page. */
  pageInfo: PageInfo;
  onGo(cursors: Cursors): void;
  /** The texts of the buttons; by default those of a list with the newest first. */
  names?: readonly [before: string, after: string] | undefined;
}

/** Buttons to the newer and the older page of a list; nothing if there is only one. */
export function Pager({
  cursors,
  pageInfo: { hasNextPage, endCursor },
  onGo,
  names: [before, after] = ["Newer", "Older"],
}: PagerProps): JSX.Element | null {
  if (cursors.length === 0 && !hasNextPage) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <button aria-disabled={cursors.length === 0} onClick={() => onGo(cursors.slice(0, -1))}>
        {before}
      </button>
      <span>Page {cursors.length + 1}</span>
      <button
        aria-disabled={!hasNextPage}
        onClick={() => {
          // The next page may still be read: a second click would count the present one twice.
          if (hasNextPage && endCursor !== null && endCursor !== cursors.at(-1))
            onGo([...cursors, endCursor]);
        }}
      >
        {after}
      </button>
    </nav>
  );
}
