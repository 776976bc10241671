/** Stores the highest release number seen of each catalogue, to refuse an older signed release. */
import { UsageError } from '../errors/errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { readBoundedText } from '../files/folder.ts';
import { isMapping } from '../values/mapping.ts';

const MAX_BYTES = 1_000_000;

/** By base URL. Empty if the file is missing. @throws UsageError `invalid-seen-file` */
export function readSeen(file: string): Record<string, number> {
  let text: string;
  try {
    text = readBoundedText(file, MAX_BYTES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    const numbers: unknown = JSON.parse(text);
    const isNumber = (number: unknown) => Number.isSafeInteger(number) && (number as number) > 0;
    if (isMapping(numbers) && Object.values(numbers).every(isNumber))
      return numbers as Record<string, number>;
  } catch {
    // A damaged file must not count as empty: that would accept any release.
  }
  throw new UsageError('invalid-seen-file', `${file} is not a file that "catalogue verify --seen" wrote.`);
}

export function writeSeen(file: string, baseUrl: string, number: number): void {
  const numbers = { ...readSeen(file), [baseUrl]: number };
  writeAtomically(file, `${JSON.stringify(numbers)}\n`);
}
