/** Lines of JSON, compressed (RFC 1952): one at a time in memory, whatever there is of them. */
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';

/** Compresses on a thread of Node.js: that takes a tenth of a publish off the thread that sends. */
const compress = promisify(gzip);

/** Characters of the lines that are compressed together, about. */
const MEMBER = 262_144;

/**
 * Lines of JSON, made one after the other, compressed: some lines in each member of the file (RFC 1952, 2.2). A stream of the
 * same bytes takes twice the processor time, most of it to hand lines from one thread to another.
 */
export async function compressed<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  line: (item: Item) => Promise<readonly string[]>,
): Promise<Buffer> {
  const members: Buffer[] = [];
  let text = '';
  for await (const item of items) {
    text += `${JSON.stringify(await line(item))}\n`;
    if (text.length < MEMBER) continue;
    members.push(await compress(text));
    text = '';
  }
  members.push(await compress(text));
  return Buffer.concat(members);
}

/** The lines of an archive, one in memory at a time. Throws whatever is wrong with it. */
export async function* linesOf(bytes: Buffer): AsyncGenerator<string[], undefined> {
  const gunzip = createGunzip();
  gunzip.end(bytes);
  let rest: Buffer[] = [];
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      yield JSON.parse(Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8')) as string[];
      rest = [];
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
  }
  return undefined;
}
