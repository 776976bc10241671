import { type Header, mediaType } from '../contract/headers.ts';
import { mediaKey } from '../contract/object-keys.ts';
import type { Answer } from '../contract/route.ts';
import type { Release } from '../release/release.ts';
import { evenlySpaced } from './requests.ts';
import { expectHeaders, sendOrReport, type VerifyContext } from './response.ts';

export type ReferencedImages = Record<'photo' | 'thumbnail', Set<string>>;

/** Returns URLs, half of photos and half of thumbnails. Adds other images of the release if `named` has too few. */
export function imagesToCheck(
  { media, settings }: Release,
  named: ReferencedImages,
  count: number,
): string[] {
  const urls = [named.photo, named.thumbnail].flatMap((kind) => {
    const ours = [...kind].filter((url) => {
      const name = fileName(url);
      return media.has(name) && url.endsWith(`/${mediaKey(name)}`);
    });
    return evenlySpaced(ours.sort(), Math.ceil(count / 2));
  });
  const missing = Math.max(count, 2) - urls.length;
  const { media_url } = settings;
  if (missing <= 0) return urls;
  const chosen = new Set(urls.map(fileName));
  const others = [...media].filter((name) => !chosen.has(name));
  return [...urls, ...evenlySpaced(others, missing).map((name) => `${media_url}/${mediaKey(name)}`)];
}

function fileName(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

export function addReferencedImages(named: ReferencedImages, meant: Answer, body: Buffer): void {
  if (meant.kind === 'page') {
    const { data } = JSON.parse(body.toString('utf8')) as { data: { thumbnail: string | null }[] };
    for (const { thumbnail } of data) if (thumbnail !== null) named.thumbnail.add(thumbnail);
  } else if (meant.kind === 'property') {
    const { photo } = JSON.parse(body.toString('utf8')) as { photo: { url: string }[] };
    for (const { url } of photo) named.photo.add(url);
  }
}

export async function checkImage(
  { client, release, report, seen }: VerifyContext,
  url: string,
  isStatic: boolean,
): Promise<void> {
  const name = fileName(url);
  seen.images.add(name);
  const differ = report(`GET ${url}`);
  const answer = await sendOrReport(client, { method: 'GET', url }, differ);
  if (!answer) return;
  if (answer.status !== 200) {
    differ('status', '200', String(answer.status));
    return;
  }
  const { cache_control } = release.settings;
  const headers: Header[] = [
    ['Content-Type', mediaType(name)],
    ['Cache-Control', cache_control.media],
  ];
  expectHeaders(answer, headers.slice(0, isStatic ? 1 : 2), differ);
  if (answer.body.length === 0) differ('body', 'an image', 'nothing');
}
