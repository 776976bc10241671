import { UsageError } from '../../errors/errors.ts';
import { countText } from '../../text/amounts.ts';
import type { SourceBytes } from './source-bytes.ts';

/** `name`: a name of the Encoding Standard. `isGuess`: other encodings would fit too. */
export type Encoding = { readonly name: string; readonly isGuess: boolean; readonly isMarked?: boolean };

/** The encoding is guessed from about this many bytes. Chunks of only ASCII do not count. */
const MAX_SAMPLE = 500_000;

/**
 * Tries in this order: byte order mark, `label`, UTF-16 (by zero bytes), valid UTF-8, windows-1252 or a similar one.
 * @throws UsageError `unknown-encoding`; `wrong-encoding` if the source is UTF-8 with a few damaged characters
 */
export async function findEncoding(source: SourceBytes, label: string | undefined): Promise<Encoding> {
  const marked = markedEncoding(source.head);
  const known = marked ?? label ?? zerosOf(source.head);
  if (known !== undefined)
    return { name: createDecoder(known).encoding, isGuess: false, isMarked: marked !== undefined };
  const decoder = createDecoder('utf-8');
  const sample: Buffer[] = [];
  let length = 0;
  let isUtf8 = true;
  for await (const chunk of source.read()) {
    if (isUtf8) isUtf8 = decodes(decoder, chunk);
    if (length < MAX_SAMPLE && chunk.some((byte) => byte >= 0x80)) {
      sample.push(chunk);
      length += chunk.length;
    }
    if (!isUtf8 && length >= MAX_SAMPLE) break;
  }
  if (isUtf8 && decodes(decoder)) return { name: 'utf-8', isGuess: false };
  return { name: guess(Buffer.concat(sample), source.name), isGuess: true };
}

function createDecoder(label: string) {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    const message = `"${label}" is not an encoding. Use utf-8, windows-1252 or utf-16le.`;
    throw new UsageError('unknown-encoding', message);
  }
}

function decodes(decoder: ReturnType<typeof createDecoder>, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

function markedEncoding(head: Buffer): string | undefined {
  const mark = head.toString('latin1', 0, 3);
  if (mark === '\xef\xbb\xbf') return 'utf-8';
  return mark.startsWith('\xff\xfe') ? 'utf-16le' : mark.startsWith('\xfe\xff') ? 'utf-16be' : undefined;
}

/** Recognises UTF-16, in which every second byte of most texts is zero. */
function zerosOf(head: Buffer): string | undefined {
  const zeros = [0, 0];
  for (const [place, byte] of head.entries()) if (byte === 0) zeros[place % 2]!++;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) * 5 < head.length || Math.min(even, odd) * 4 > Math.max(even, odd))
    return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/**
 * If a text read as windows-1252 has unlikely signs, such as ± inside a word, it is probably in the encoding that has a
 * letter or € for the same byte.
 */
const GUESSES: readonly (readonly [encoding: string, ...signs: RegExp[]])[] = [
  ['iso-8859-2', /\p{L}[\u00b1\u00b6\u00bc]\p{L}/u],
  ['windows-1250', /\p{L}[\u00b9\u00b3\u00bf]\p{L}/u],
  // Czech: ě within a word (ì in windows-1252), and also ř (ø), or š or ž, which both encodings have.
  ['windows-1250', /\p{L}\u00ec\p{L}/u, /[\u00f8\u0161\u017e]/],
  ['iso-8859-15', /\u00a4|\p{L}\u00bd\p{L}/u],
];

function guess(sample: Buffer, name: string): string {
  const lenient = new TextDecoder('utf-8').decode(sample);
  const damaged = lenient.split('\ufffd').length - 1;
  const others = lenient.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  if (others > damaged * 10) {
    const line = lenient.slice(0, lenient.indexOf('\ufffd')).split(/\r\n?|\n/).length;
    const message = `${name} is in UTF-8, but for ${countText(damaged, 'character')}, such as one about line ${line}. Save the table again as UTF-8.`;
    throw new UsageError('wrong-encoding', message);
  }
  const latin = new TextDecoder('windows-1252').decode(sample);
  return GUESSES.find(([, ...signs]) => signs.every((sign) => sign.test(latin)))?.[0] ?? 'windows-1252';
}

/** DOS programs write Ctrl+Z at the end of a text. */
const END = /\x1a\s{0,1000}$/;

export async function* decodeChunks(source: SourceBytes, encoding: string): AsyncGenerator<string> {
  const decoder = createDecoder(encoding);
  try {
    let end = '';
    for await (const chunk of source.read()) {
      const text = end + decoder.decode(chunk, { stream: true });
      end = END.exec(text)?.[0] ?? '';
      yield end === '' ? text : text.slice(0, -end.length);
    }
    yield decoder.decode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    const message = `${source.name} is not in ${encoding}. Name its encoding in the mapping, such as "encoding: windows-1252".`;
    throw new UsageError('wrong-encoding', message);
  }
}
