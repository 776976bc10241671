/** Reads a source twice, as an import does, and compares both runs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ReadingSettings } from '../../../src/import/table/row.ts';
import { openRows } from '../../../src/import/table/row-source.ts';
import { temporaryFolder } from '../../support/temporary.ts';

export type ReadSource = {
  readonly columns: readonly string[] | undefined;
  readonly values: readonly Readonly<Record<string, unknown>>[];
  readonly lines: readonly number[];
  /** Place and message of each row that cannot be read. */
  readonly unreadable: readonly string[];
  /** Codes of the notes, and their messages. */
  readonly notes: readonly string[];
  readonly remarks: readonly string[];
};

export async function readSource(
  name: string,
  content: string | Uint8Array,
  settings: ReadingSettings = {},
): Promise<ReadSource> {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return readAt(path, settings);
}

export async function readAt(path: string, settings: ReadingSettings = {}): Promise<ReadSource> {
  const source = await openRows(path, settings);
  try {
    const values = [];
    const lines = [];
    const unreadable = [];
    for await (const row of source.rows()) {
      if (row.value) values.push(row.value);
      else unreadable.push(`${row.at}: ${row.finding.message}`);
      lines.push(row.line);
    }
    let again = 0;
    for await (const row of source.rows()) expect(row.line).toBe(lines[again++]);
    expect(again).toBe(lines.length);
    return {
      columns: source.columns,
      values,
      lines,
      unreadable,
      notes: source.notes().map(({ code }) => code),
      remarks: source.notes().map(({ message }) => message),
    };
  } finally {
    source.close();
  }
}

/** Returns the code and the message of the error. */
export async function refusal(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => undefined,
    (reason: unknown) => reason as { readonly code?: string; readonly message: string },
  );
  return error ? `${error.code}: ${error.message}` : 'no error';
}
