/** Gzip-compressed lines of JSON (RFC 1952) in bounded memory. */
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';

/**
 * Runs in Node's thread pool, which makes a publish 10 % faster. Level 4 takes 30 % less time than level 6, for 6 %
 * more bytes.
 */
const compress = (bytes: Buffer) => promisify(gzip)(bytes, { level: 4 });

/** Maximum bytes of a gzip member, unless a single line is longer. */
const MEMBER = 262_144;

/**
 * Compresses several lines per gzip member (RFC 1952, 2.2). A stream would take twice the processor time, mostly to
 * pass lines between threads. Each line is encoded separately: a string with any character beyond Latin-1 is stored
 * with two bytes per character, and encoding one that joins many lines takes three times as long.
 */
export async function gzipLines(lines: Iterable<readonly string[]>): Promise<Buffer> {
  const members: Buffer[] = [];
  let member = Buffer.allocUnsafeSlow(MEMBER);
  let size = 0;
  const end = async () => {
    members.push(await compress(member.subarray(0, size)));
    size = 0;
  };
  for (const line of lines) {
    const text = `${JSON.stringify(line)}\n`;
    // Each UTF-16 code unit takes at most three bytes of UTF-8.
    const most = 3 * text.length;
    if (size > 0 && size + most > member.length) await end();
    if (most > member.length) member = Buffer.allocUnsafeSlow(most);
    size += member.write(text, size);
  }
  await end();
  return Buffer.concat(members);
}

/** Maximum bytes of all lines together, since untrusted input might never end. */
const MAX_LENGTH = 256 * 2 ** 20;

function parsedLine(bytes: Buffer): string[] {
  const line: unknown = JSON.parse(bytes.toString('utf8'));
  if (Array.isArray(line) && line.every((part) => typeof part === 'string')) return line;
  throw new Error('a line is not a list of texts');
}

/** Holds one line in memory at a time. @throws Error for damaged bytes */
export async function* gunzipLines(bytes: Buffer): AsyncGenerator<string[], undefined> {
  const gunzip = createGunzip();
  gunzip.end(bytes);
  let rest: Buffer[] = [];
  let length = 0;
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      yield parsedLine(Buffer.concat([...rest, chunk.subarray(start, end)]));
      rest = [];
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
    length += chunk.length;
    if (length > MAX_LENGTH) throw new Error('the lines are too long');
  }
  return undefined;
}
