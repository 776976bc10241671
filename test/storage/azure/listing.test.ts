/** A listing of Azure goes on where a page was refused. */
import { expect, it, onTestFinished } from 'vitest';
import { openAzureBucket } from '../../../src/storage/azure/bucket.ts';
import { withRetry } from '../../../src/storage/retrying-bucket.ts';
import { listKeys } from '../../support/bucket.ts';
import { serveLoopback } from '../../support/loopback.ts';

const NAMES = ['AZURE_STORAGE_ACCOUNT', 'AZURE_STORAGE_KEY'] as const;

it.each([1, 2, 3])(
  'each page is requested once, and once more after each of %i refusals',
  async (refusals) => {
    Object.assign(process.env, { AZURE_STORAGE_ACCOUNT: 'stays', AZURE_STORAGE_KEY: 'a2V5' });
    onTestFinished(() => {
      for (const name of NAMES) delete process.env[name];
    });
    const pages = [['a', 'b'], ['c'], [], ['d', 'e'], ['f']];
    const asked: number[] = [];
    let refused = 0;
    const endpoint = await serveLoopback((request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('marker') ?? 0);
      asked.push(page);
      if (page >= 2 && asked.filter((one) => one === page).length === 1 && refused++ < refusals) {
        response.writeHead(503, { 'x-ms-error-code': 'ServerBusy' }).end();
        return;
      }
      const blobs = pages[page]!.map(
        (name) =>
          `<Blob><Name>${name}</Name><Properties><Last-Modified>Thu, 01 Jan 2026 00:00:00 GMT</Last-Modified><Etag>0x1</Etag><Content-Length>1</Content-Length></Properties></Blob>`,
      );
      const next = page + 1 < pages.length ? page + 1 : '';
      response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(
          `<?xml version="1.0"?><EnumerationResults><Blobs>${blobs.join('')}</Blobs><NextMarker>${next}</NextMarker></EnumerationResults>`,
        );
    });
    const { bucket, close } = await openAzureBucket({ bucket: 'stays', prefix: '', endpoint });
    onTestFinished(close);
    expect(await listKeys(withRetry(bucket, { delay: 1 }))).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(asked).toHaveLength(pages.length + refusals);
    expect([...new Set(asked)]).toEqual([0, 1, 2, 3, 4]);
    // Another listing begins at its start.
    asked.length = 0;
    expect(await listKeys(bucket)).toHaveLength(6);
    expect(asked[0]).toBe(0);
  },
);
