/**
 * Releases the memory behind bytes at once and leaves them empty. V8 schedules garbage collections by memory outside
 * the heap, so large buffers that wait for the collector trigger it. A view of part of a buffer, as in Buffer's pool,
 * is left alone.
 */
export function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
