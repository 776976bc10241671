import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { UsageError } from '../command-line.ts';

/** The rows of a file of one JSON object per line, gzipped if its name says so. */
export function readRows<Row>(file: string): Row[] {
  if (!existsSync(file)) {
    throw new UsageError(
      `${file} does not exist: --data names the folder that holds ireland, madrid and airbnb`,
    );
  }
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}
