/** A store that enforces AWS policies. */
import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { serveLoopback } from './loopback.ts';

export type PolicyStatement = {
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: string | readonly string[];
  /** `true`: the request header must be missing. */
  readonly Condition?: { readonly Null: Readonly<Record<string, 'true' | 'false'>> };
};

/** The first JSON block after `text` in a page of `docs/`. */
export function policyBelow(text: string, name = 'releases'): PolicyStatement[] {
  const page = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
  const [, block = ''] = /```json\n([\s\S]*?)```/.exec(page.slice(page.indexOf(text))) ?? [];
  const value = JSON.parse(block) as PolicyStatement[] | { readonly Statement: PolicyStatement[] };
  return 'Statement' in value ? value.Statement : value;
}

export function allows(
  policy: readonly PolicyStatement[],
  action: string,
  resource: string,
  headers: IncomingHttpHeaders = {},
): boolean {
  const fits = (pattern: string) => {
    const parts = pattern
      .split(/([*?])/)
      .map((part) => (part === '*' ? '.*' : part === '?' ? '.' : part.replace(/[.+^${}()|[\]\\/]/g, '\\$&')));
    return new RegExp(`^${parts.join('')}$`, 's').test(resource);
  };
  return policy.some(
    ({ Action, Resource, Condition }) =>
      Action.includes(action) &&
      [Resource].flat().some(fits) &&
      Object.entries(Condition?.Null ?? {}).every(
        ([key, isAbsent]) => (headers[key.replace('s3:', '')] === undefined) === (isAbsent === 'true'),
      ),
  );
}

/** Proxies a store and refuses what the policy does not allow. @param refused receives the refused actions */
export async function enforce(
  endpoint: string,
  policy: readonly PolicyStatement[],
  refused: string[],
): Promise<string> {
  const { origin, pathname } = new URL(endpoint);
  const own = await serveLoopback(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = '', url = '', headers } = incoming;
    const asked = asksFor(method, url.slice(pathname.length), body.toString('utf8'));
    const denied = asked.find(([action, resource]) => !allows(policy, action, resource, headers));
    if (denied) {
      refused.push(denied.join(' '));
      outgoing.writeHead(403, { 'Content-Type': 'application/xml', Date: new Date().toUTCString() });
      outgoing.end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
      return;
    }
    const call = request(origin + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    call.end(body);
  });
  return own + pathname;
}

function asksFor(method: string, path: string, body: string): [action: string, resource: string][] {
  const { pathname, searchParams } = new URL(path, 'http://store');
  const resource = `arn:aws:s3:::${decodeURIComponent(pathname).slice(1)}`;
  const has = (name: string) => searchParams.has(name);
  if (!pathname.slice(1).includes('/')) {
    if (has('delete'))
      return [...body.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => [
        's3:DeleteObject',
        `${resource}/${key}`,
      ]);
    return [[has('uploads') ? 's3:ListBucketMultipartUploads' : 's3:ListBucket', resource]];
  }
  if (method === 'GET' || method === 'HEAD') return [['s3:GetObject', resource]];
  if (method === 'DELETE')
    return [[has('uploadId') ? 's3:AbortMultipartUpload' : 's3:DeleteObject', resource]];
  return [['s3:PutObject', resource]];
}
