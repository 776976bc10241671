/** Brings photos into the content folder, beside the file of their property. */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { AuthoredPhoto, AuthoredProperty } from '../contract/authored.ts';
import { DownloadRefusal, download } from '../media/download.ts';
import { isPhotoFormat, recogniseFormat } from '../media/format.ts';
import type { Finding, RawProperty } from './candidate.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

/** How photos are brought. */
export type PhotoOptions = {
  /** Absolute path of the content folder. */
  readonly content: string;
  /** Whether photos that are links are downloaded. */
  readonly download: boolean;
  /** Origin that the user named: photos are fetched from there as the properties are. */
  readonly trusted: string | undefined;
  /** Folder that `file:` paths of the source start from. */
  readonly from: string | undefined;
};

const MAX_BYTES = 25_000_000;

/**
 * The property with its photos as files of the content folder, as far as they could be had.
 *
 * @param links the links of its photos as the source has them, by place in the list.
 * @param path of its YAML file, relative to the content folder.
 */
export async function placePhotos(
  property: AuthoredProperty,
  links: readonly (string | undefined)[],
  path: string,
  options: PhotoOptions,
): Promise<{ property: AuthoredProperty; findings: Finding[] }> {
  const findings: Finding[] = [];
  const photo: AuthoredPhoto[] = [];
  for (const [index, one] of property.photo.entries()) {
    const link = one.url === undefined ? undefined : (links[index] ?? one.url);
    const isLink = link !== undefined;
    if (isLink && !options.download) {
      photo.push(one);
      continue;
    }
    const stem = `photos/${path
      .split('/')
      .pop()!
      .replace(/\.yaml$/, '')}-${index + 1}`;
    try {
      const file = isLink ? await fetched(link, path, stem, options) : copied(one.file!, path, stem, options);
      const { url: _url, thumbnail: _thumbnail, ...rest } = one;
      photo.push({ ...rest, file });
    } catch (error) {
      if (!(error instanceof DownloadRefusal)) throw error;
      const isKept = link === one.url && isLink;
      findings.push(notReceived(link ?? one.file ?? '', error.message, isKept));
      if (isKept) photo.push(one);
    }
  }
  return { property: { ...property, photo }, findings };
}

/**
 * A property whose photos will be downloaded, so that their links need not be fit for being published.
 *
 * @returns the same, and the links as they were.
 */
export function withoutLinkForms(raw: RawProperty): { raw: RawProperty; links: (string | undefined)[] } {
  if (!Array.isArray(raw.photo)) return { raw, links: [] };
  const links: (string | undefined)[] = [];
  const photo = raw.photo.map((one: unknown) => {
    const { thumbnail: _thumbnail, ...rest } = Object(one) as { url?: unknown; thumbnail?: unknown };
    const url = typeof rest.url === 'string' ? rest.url : undefined;
    links.push(url);
    return url === undefined ? one : { ...rest, url: url.replace(/^http:/i, 'https:') };
  });
  return { raw: { ...raw, photo }, links };
}

function notReceived(name: string, reason: string, isKept: boolean): Finding {
  const message = `The photo ${name} cannot be had: ${reason}.`;
  const help = isKept ? 'It stays a link.' : 'The property is imported without it.';
  return { code: 'photo-not-received', severity: 'warning', field: 'photo', message, help };
}

async function fetched(url: string, path: string, stem: string, options: PhotoOptions): Promise<string> {
  const pieces: Buffer[] = [];
  if (options.trusted !== undefined && URL.canParse(url) && new URL(url).origin === options.trusted) {
    const get = createGuardedFetch({ maxBytes: MAX_BYTES, timeoutMs: 60_000 });
    try {
      const response = await get(url);
      if (!response.ok) throw new DownloadRefusal(`the server answered ${response.status}`);
      pieces.push(Buffer.from(await response.arrayBuffer()));
    } catch (error) {
      throw error instanceof DownloadRefusal ? error : new DownloadRefusal((error as Error).message);
    }
  } else await download(url, { maxBytes: MAX_BYTES }, (piece) => pieces.push(piece));
  const bytes = Buffer.concat(pieces);
  const format = recogniseFormat(bytes.subarray(0, 4096));
  if (!isPhotoFormat(format)) throw new DownloadRefusal('it is no photo of a known format');
  const file = `${stem}.${format === 'JPEG' ? 'jpg' : format.toLowerCase()}`;
  put(join(options.content, dirname(path), file), (temporary) => writeFileSync(temporary, bytes));
  return file;
}

/** A file named by the source: inside the folder of the source, and nowhere else. */
function copied(file: string, path: string, stem: string, { content, from }: PhotoOptions): string {
  if (from === undefined) throw new DownloadRefusal('the source has no files');
  const origin = resolve(from, file);
  const inside = relative(from, origin);
  if (inside.startsWith('..') || inside.split(sep).includes('..')) {
    throw new DownloadRefusal('it is outside the folder of the source');
  }
  if (!existsSync(origin)) throw new DownloadRefusal('it does not exist');
  const [extension = ''] = /\.[A-Za-z0-9]+$/.exec(file) ?? [];
  const target = stem + extension.toLowerCase();
  put(join(content, dirname(path), target), (temporary) => copyFileSync(origin, temporary));
  return target;
}

/** Writes a file whole or not at all. */
function put(path: string, write: (temporary: string) => void): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.importing`;
  try {
    write(temporary);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
