/** Stores the highest release number seen for each catalogue, so that `verify` can refuse an older signed release. */
import { UsageError } from '../errors/errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { readBoundedText } from '../files/files-and-folders.ts';
import { isMapping } from '../values/mapping.ts';

const MAX_BYTES = 1_000_000;

/** Undefined if no number of this catalogue was seen. @throws UsageError `invalid-seen-file` */
export function readSeenReleaseNumber(file: string, baseUrl: string): number | undefined {
  return numbersIn(file)[catalogueAt(baseUrl)];
}

export function writeSeenReleaseNumber(file: string, baseUrl: string, number: number): void {
  const numbers = { ...numbersIn(file), [catalogueAt(baseUrl)]: number };
  writeAtomically(file, `${JSON.stringify(numbers)}\n`);
}

function numbersIn(file: string): Record<string, number> {
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
    if (isMapping(numbers) && Object.values(numbers).every(isNumber)) return highestByCatalogue(numbers);
  } catch {
    // A damaged file must not count as empty: any release would be accepted then.
  }
  throw new UsageError('invalid-seen-file', `${file} is not a file that "catalogue verify --seen" wrote.`);
}

/** Earlier versions wrote URLs as they were typed, so a catalogue can have several entries. */
function highestByCatalogue(numbers: object): Record<string, number> {
  const highest: Record<string, number> = {};
  for (const [url, number] of Object.entries(numbers)) {
    const catalogue = catalogueAt(url);
    highest[catalogue] = Math.max(number, highest[catalogue] ?? 0);
  }
  return highest;
}

/** Returns one form for all spellings of a URL. Any other text only loses the slashes at its end. */
function catalogueAt(url: string): string {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: '', pathname: url };
  return origin + pathname.replace(/\/+$/, '');
}
