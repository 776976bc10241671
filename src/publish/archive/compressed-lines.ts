/** Lines of JSON, compressed (RFC 1952): one at a time in memory, whatever there is of them. */
import { createGunzip, createGzip } from 'node:zlib';

/** Lines of JSON, made one after the other, compressed. */
export async function compressed<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  line: (item: Item) => Promise<readonly string[]>,
): Promise<Buffer> {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => gzip.on('end', resolve).on('error', reject));
  try {
    for await (const item of items) {
      const text = `${JSON.stringify(await line(item))}\n`;
      if (!gzip.write(text)) await new Promise((resolve) => gzip.once('drain', resolve));
    }
  } catch (error) {
    gzip.destroy();
    throw error;
  }
  gzip.end();
  await ended;
  return Buffer.concat(chunks);
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
