/** A change of one value of a property file, as data: a form sends it, and {@link editText} makes it. */

/** Where a value is: names of fields and places in lists from 0, such as `['photo', 0, 'description']`. */
export type Path = readonly (string | number)[];

/** A value as it is authored: every scalar is its text, whatever the field; null is no value. */
export type Authored = string | null | readonly Authored[] | { readonly [field: string]: Authored };

/** One change of a file. Each is made in what those before it left. */
export type Edit =
  /**
   * Gives a field, or an entry of a list, a value. A field that is absent gets a line at its place in the order of the
   * fields. Of a list or an entry, only what differs is written. Null removes the value.
   */
  | { readonly kind: 'set'; readonly path: Path; readonly value: Authored }
  /** Takes out a field, or an entry of a list. */
  | { readonly kind: 'remove'; readonly path: Path }
  /** Puts an entry into a list; `path` ends with its place there. A list that is absent is made. */
  | { readonly kind: 'insert'; readonly path: Path; readonly value: Authored }
  /** Moves the entry at `path` to another place of its list. */
  | { readonly kind: 'move'; readonly path: Path; readonly to: number }
  /** Gives a field another name; its value stays. */
  | { readonly kind: 'rename'; readonly path: Path; readonly to: string };

/** A text with its changes made. */
export type Edited = {
  readonly text: string;
  /** Comments on lines of what was removed, which went with it. */
  readonly dropped: readonly string[];
};
