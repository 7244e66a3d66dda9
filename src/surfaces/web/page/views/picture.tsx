import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

export interface PictureProps {
  type: string;
  body: string | Uint8Array<ArrayBuffer>;
  label: string;
  /** Called with the size when the browser has drawn it, in pixels. */
  onSize?(width: number, height: number): void;
}

/** Draws an image on a checkerboard: as an image, not as a part of the page, so that no script in it runs and it loads nothing. */
export function Picture({ type, body, label, onSize }: PictureProps): JSX.Element {
  const url = useSignal<string | undefined>(undefined);
  const isBroken = useSignal(false);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([body], { type }));
    url.value = made;
    isBroken.value = false;
    return () => URL.revokeObjectURL(made);
  }, [body, type]);
  return (
    <div class="v-board">
      {isBroken.value ? (
        <p class="card v-broken">The browser cannot draw this image.</p>
      ) : url.value === undefined ? null : (
        <img
          src={url.value}
          alt={label}
          onLoad={({ currentTarget }) => onSize?.(currentTarget.naturalWidth, currentTarget.naturalHeight)}
          onError={() => (isBroken.value = true)}
        />
      )}
    </div>
  );
}
