/**
 * Gives the memory behind the bytes back at once; they are empty from then on. Memory outside the heap is what V8 counts
 * to decide when it collects garbage, so that large buffers which wait for the collector are what calls it. A view of a
 * part, such as Buffer makes from its pool, is left alone: others live in its buffer.
 */
export function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
