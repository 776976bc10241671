import { printableJson } from '../text/printable.ts';

export type Sink = {
  /** Writes results, for programs. */
  readonly out: (text: string) => void;
  /** Writes diagnostics and progress, for people. */
  readonly err: (text: string) => void;
  readonly color: boolean;
};

export function printJson(value: unknown, sink: Sink): void {
  sink.out(`${printableJson(value)}\n`);
}

/** Characters to write at a time. */
const CHUNK = 65_536;

/**
 * Prints JSON as {@link printJson} does, but fills an empty list in it with items that may be too many for one text.
 *
 * @param name of the list, the first one with this name.
 */
export function printJsonList(value: unknown, name: string, items: Iterable<object>, sink: Sink): void {
  const text = printableJson(value);
  const [opening = '', indent = ''] = new RegExp(`\\n( *)"${name}": \\[`).exec(text) ?? [];
  const start = text.indexOf(opening) + opening.length;
  let chunk = text.slice(0, start);
  let separator = '';
  for (const item of items) {
    chunk += `${separator}\n${printableJson(item).replace(/^/gm, `${indent}  `)}`;
    separator = ',';
    if (chunk.length < CHUNK) continue;
    sink.out(chunk);
    chunk = '';
  }
  sink.out(`${chunk}${separator && `\n${indent}`}${text.slice(start)}\n`);
}
