import type { Storage } from "unstorage";
import type { ToolError } from "../catalog/errors.ts";
import { StoreError, toStoreError } from "./errors.ts";
import type { StoreOperation } from "./errors.ts";
import { isId, type RecordKind } from "./record-kinds.ts";
import { toUnavailable } from "./unavailable.ts";

/** Reads single records of a kind, and reports what is wrong with the store. */
export interface RecordReader<T> {
  /** Reads a record; from `storage` unless another view of it is given. @throws ToolError also if it is damaged. */
  read(id: string, from?: Storage): Promise<T | undefined>;
  /** Reads what is stored under an id, null or undefined for nothing. */
  readRaw(id: string, from?: Storage): Promise<unknown>;
  /** Returns the record in a stored value; undefined if there is none, or one of another id. */
  parse(id: string, raw: unknown): T | undefined;
  /** The key of a record in the store. @throws TypeError for what is not an id. */
  keyOf(id: string): string;
  /** Calls the store. @throws ToolError for its fault, which is reported. */
  attempt<R>(operation: StoreOperation, work: () => Promise<R>): Promise<R>;
  damagedRecord(id: string): StoreError;
  /** Reports the fault to the operator in full; the caller only learns that the operation failed. */
  unavailable(error: StoreError): ToolError;
}

export function createRecordReader<T>(options: {
  kind: RecordKind<T>;
  storage: Storage;
  onError: (error: StoreError) => void;
}): RecordReader<T> {
  const { kind, storage, onError } = options;
  const { base, idOf } = kind;

  async function read(id: string, from = storage): Promise<T | undefined> {
    const raw = await readRaw(id, from);
    if (raw === null || raw === undefined) return undefined;
    const record = parse(id, raw);
    if (record === undefined) throw unavailable(damagedRecord(id));
    return record;
  }

  function readRaw(id: string, from = storage): Promise<unknown> {
    const key = keyOf(id);
    return attempt("read", () => from.getItem(key));
  }

  function parse(id: string, raw: unknown): T | undefined {
    const record = kind.parse(raw);
    return record !== undefined && idOf(record) === id ? Object.freeze(record) : undefined;
  }

  function damagedRecord(id: string): StoreError {
    return new StoreError(
      "read",
      `The record ${base}/${id} is damaged or of another release. Restore it from a backup, or remove it.`,
    );
  }

  async function attempt<R>(operation: StoreOperation, work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      throw unavailable(toStoreError(operation, base, error));
    }
  }

  function unavailable(error: StoreError): ToolError {
    onError(error);
    return toUnavailable(error);
  }

  function keyOf(id: string): string {
    if (!isId(id)) throw new TypeError("not the id of a record");
    return `${base}:${id}`;
  }

  return { read, readRaw, parse, keyOf, attempt, damagedRecord, unavailable };
}
