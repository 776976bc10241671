/** Objects by key that several machines share. */

/** Where a shared cache keeps its objects. Keys are paths of ASCII letters, digits, `.`, `-` and `/`. */
export type CacheStore = {
  /** As the user named it, such as `s3://stays/cache`. */
  readonly name: string;
  /** The object; undefined when there is none. */
  readonly read: (key: string) => Promise<Buffer | undefined>;
  /** Keys that start with a prefix, in any order. Nothing of the objects is read. */
  readonly list: (prefix: string) => AsyncIterable<string>;
  /** Writes an object, whole or not at all, unless there is one. Returns whether it was written. */
  readonly add: (key: string, body: Buffer) => Promise<boolean>;
  /** Writes an object, whole or not at all, in the place of one that is there. */
  readonly replace: (key: string, body: Buffer) => Promise<void>;
};
