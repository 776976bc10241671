/** Lambda@Edge: the generated module in Node, with an imitation of the SDK that Lambda has. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FEWER_SIZES, type ServerKind } from '../server.ts';
import { startCloudfront, type Viewed } from '../servers/cloudfront-front.ts';

type LambdaResult =
  | { uri: string; querystring: string }
  | {
      status: string;
      headers: Record<string, { key: string; value: string }[]>;
      body?: string;
      bodyEncoding?: 'base64';
    };

/** The function in Node, in an imitation of the rest of CloudFront. */
export const lambdaServer: ServerKind<'lambda-edge'> = {
  target: 'lambda-edge',
  benchmark: 'imitation',
  servesRangesItself: true,
  cutsPages: true,
  needs: [],
  sizes: FEWER_SIZES,
  origin: { isBucket: true },
  start: async ({ root, edge, fixture, origin }) => {
    const sdk = join(edge, 'node_modules/@aws-sdk/client-s3');
    mkdirSync(sdk, { recursive: true });
    writeFileSync(join(sdk, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
    writeFileSync(join(sdk, 'index.js'), origin ? FAILING_SDK(origin) : SDK(root));
    const { handler } = (await import(pathToFileURL(join(edge, 'index.mjs')).href)) as {
      handler: (event: object) => Promise<LambdaResult>;
    };
    return startCloudfront(fixture, async (request) => {
      const result = await handler({ Records: [{ cf: { request: eventRequest(request) } }] });
      if ('uri' in result) return { uri: result.uri };
      const headers = Object.values(result.headers).map(([header]): [string, string] => [
        header!.key,
        header!.value,
      ]);
      const { body, bodyEncoding } = result;
      const bytes = bodyEncoding && Buffer.from(body ?? '', bodyEncoding);
      return { status: Number(result.status), headers, body: bytes ?? body };
    });
  },
};

function eventRequest({ method, uri, query, headers }: Viewed) {
  const all = Object.entries(headers).map(([key, values]) => [key, values.map((value) => ({ key, value }))]);
  const origin = { s3: { domainName: 'my.bucket.s3.eu-west-1.amazonaws.com', region: 'eu-west-1' } };
  return { method, uri, querystring: query, headers: Object.fromEntries(all), origin };
}

const SDK = (root: string) => `import { readFile } from 'node:fs/promises';
export class GetObjectCommand { constructor(place) { this.place = place; } }
export class HeadObjectCommand { constructor(place) { this.place = place; } }
export class S3Client {
  constructor({ region }) { if (region !== 'eu-west-1') throw new Error('region ' + region); }
  async send({ place: { Bucket, Key } }) {
    if (Bucket !== 'my.bucket') throw new Error('bucket ' + Bucket);
    try {
      const bytes = await readFile(${JSON.stringify(root)} + '/' + Key);
      return { Body: { transformToString: async () => bytes.toString(), transformToByteArray: async () => bytes } };
    } catch {
      throw Object.assign(new Error('NotFound'), { $metadata: { httpStatusCode: Key.endsWith('total') ? 403 : 404 } });
    }
  }
}
`;

const FAILING_SDK = (
  origin: number,
) => `export class GetObjectCommand { constructor(place) { this.place = place; } }
export class HeadObjectCommand { constructor(place) { this.place = place; } }
export class S3Client {
  async send({ place: { Key } }, { abortSignal: signal }) {
    const response = await fetch('http://127.0.0.1:${origin}/' + Key.split('/').map(encodeURIComponent).join('/'), { redirect: 'manual', signal });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.status !== 200)
      throw Object.assign(new Error('status'), { $metadata: { httpStatusCode: response.status } });
    return { Body: { transformToString: async () => new TextDecoder().decode(bytes), transformToByteArray: async () => bytes } };
  }
}
`;
