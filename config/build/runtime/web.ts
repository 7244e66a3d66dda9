import { Headers } from "./headers.ts";

export { Headers };

type Name = "Request" | "Response" | "ReadableStream" | "Blob";

/** True for an instance of the global class; an object without its tag is refused without loading that class. */
function isNative(value: unknown, name: Name): boolean {
  const tagged = value as { [Symbol.toStringTag]?: unknown } | null | undefined;
  return tagged?.[Symbol.toStringTag] === name && value instanceof globalThis[name];
}

/**
 * A class that stands for a global one and fetches it by the first that constructs one. It carries the same
 * members, because srvx copies them to its own request and response classes, and it accepts subclasses of
 * itself and the real thing alike in `instanceof`.
 */
function standIn(name: Name, getters: string[], methods: string[], statics: string[]): unknown {
  const real = (): Record<string, unknown> => globalThis[name] as unknown as Record<string, unknown>;
  const StandIn = function (...args: unknown[]): object {
    return Reflect.construct(globalThis[name], args) as object;
  };
  Object.defineProperty(StandIn, "name", { value: name });
  Object.defineProperty(StandIn, Symbol.hasInstance, {
    value: (value: unknown) =>
      Object.prototype.isPrototypeOf.call(StandIn.prototype as object, value as object) ||
      isNative(value, name),
  });
  // srvx's classes override each of these with one that asks their native object: no body is ever run.
  for (const key of getters)
    Object.defineProperty(StandIn.prototype, key, { get: unreachable, configurable: true });
  for (const key of methods)
    Object.defineProperty(StandIn.prototype, key, { value: unreachable, configurable: true });
  for (const key of statics) {
    const value = (...args: unknown[]) =>
      (real()[key] as (...args: unknown[]) => unknown).apply(real(), args);
    Object.defineProperty(StandIn, key, { value, configurable: true });
  }
  return StandIn;
}

function unreachable(): never {
  throw new TypeError("Illegal invocation");
}

const body = words("arrayBuffer blob bytes clone formData json text textStream");

export const requestMembers = {
  getters: words(
    `body bodyUsed cache credentials destination duplex headers integrity isHistoryNavigation isReloadNavigation
    keepalive method mode redirect referrer referrerPolicy signal url`,
  ),
  methods: body,
  statics: [] as string[],
};

export const responseMembers = {
  getters: words("body bodyUsed headers ok redirected status statusText type url"),
  methods: body,
  statics: words("error json redirect"),
};

export const Request = standIn(
  "Request",
  requestMembers.getters,
  requestMembers.methods,
  requestMembers.statics,
) as typeof globalThis.Request;

export const Response = standIn(
  "Response",
  responseMembers.getters,
  responseMembers.methods,
  responseMembers.statics,
) as typeof globalThis.Response;

export const ReadableStream = standIn("ReadableStream", [], [], ["from"]) as typeof globalThis.ReadableStream;

export const Blob = standIn("Blob", [], [], []) as typeof globalThis.Blob;

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
