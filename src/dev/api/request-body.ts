import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { bytesText as words } from '../../text/amounts.ts';
import { RefusedRequest } from './refused-request.ts';

export type BodyLimits = {
  readonly bytes: number;
  /** Milliseconds within which the whole body must arrive. */
  readonly time: number;
};

/** A property has at most 1 MB of text. */
const JSON_LIMITS: BodyLimits = { bytes: 1 << 20, time: 10_000 };

/** @throws RefusedRequest `wrong-content-type`, `too-large`, `too-slow`, `bad-request` */
export async function readJson<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
  limits = JSON_LIMITS,
): Promise<z.output<Schema>> {
  checkContentType(request, /^application\/json$/i, 'application/json');
  const body = await readRequestBody(request, limits);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new RefusedRequest('bad-request', 'The body is no JSON in UTF-8.');
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [{ path = [], message = '' } = {}] = result.error.issues;
  throw new RefusedRequest('bad-request', `The body has a wrong ${path.join('.') || 'form'}: ${message}.`);
}

/** @throws RefusedRequest `wrong-content-type` */
export function checkContentType({ headers }: IncomingMessage, expected: RegExp, name: string): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (!expected.test(type.trim()))
    throw new RefusedRequest('wrong-content-type', `Send the body as ${name}.`);
}

/** @throws RefusedRequest `too-large`, `too-slow`, `bad-request` */
export function readRequestBody(request: IncomingMessage, { bytes, time }: BodyLimits): Promise<Buffer> {
  const tooLarge = new RefusedRequest('too-large', `The body has more than ${words(bytes)}.`);
  if (Number(request.headers['content-length'] ?? 0) > bytes) return Promise.reject(tooLarge);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const timer = setTimeout(() => reject(new RefusedRequest('too-slow', 'The body took too long.')), time);
    const end = (act: () => void) => {
      clearTimeout(timer);
      act();
    };
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > bytes) {
        request.pause();
        end(() => reject(tooLarge));
      } else chunks.push(chunk);
    });
    request.on('end', () => end(() => resolve(Buffer.concat(chunks))));
    request.on('error', () => end(() => reject(new RefusedRequest('bad-request', 'The body broke off.'))));
    request.on('close', () => end(() => reject(new RefusedRequest('bad-request', 'The body broke off.'))));
  });
}
