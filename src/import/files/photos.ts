/** Downloads or copies the photos of imported properties into `photos/` next to the property file. */
import { hash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import type { AuthoredPhoto, AuthoredProperty } from '../../contract/authored.ts';
import { parseUrl } from '../../contract/link.ts';
import type { Terms } from '../../contract/terms.ts';
import { fileErrorReason } from '../../errors/file-error.ts';
import { findPhotoProblem } from '../../media/find-photo-problems.ts';
import { isPhotoFormat, type PhotoFormat, recogniseFormat } from '../../media/format.ts';
import type { MediaProblem } from '../../media/photo-problem.ts';
import { isInside } from '../../source/content-path.ts';
import { bytesText, countText, formatNumber } from '../../text/amounts.ts';
import { sortedByCount } from '../../values/sort-by-count.ts';
import { rowMapper } from '../candidate/row-property.ts';
import { type ImportFinding, warningFinding } from '../finding.ts';
import { createGuardedFetch, FetchRefusal } from '../guarded-fetch.ts';
import { columnsOf, type Proposal, type TableMapping } from '../mapping/mapping.ts';
import type { RowSource } from '../table/row-source.ts';
import type { FileState, Ledger } from './ledger.ts';

export type PhotoOptions = {
  readonly photos: boolean;
  readonly force: boolean;
  /** Origin of the source's address. The user named it, so photos may come from it even if its host is private. */
  readonly trustedOrigin?: string | undefined;
  readonly from?: string | undefined;
  /** `allowHttp`: also downloads over http. `allowPrivate`: hosts that may have a private address. @default neither */
  readonly photoRules?: { readonly allowHttp?: boolean; readonly allowPrivate?: readonly string[] };
};

type Planning = PhotoOptions &
  ReturnType<typeof createPhotoAccess> & {
    readonly ledger: Ledger;
    readonly isUsedElsewhere: (photo: string, yaml: string) => boolean;
  };

type PlannedPhoto = {
  readonly path: string;
  readonly bytes: Buffer;
  readonly state: FileState;
  readonly address: string | undefined;
};

export type ReceivedPhotos = Awaited<ReturnType<typeof planPhotos>>;

const MAX_DOWNLOAD = 25_000_000;
const MAX_COPY = 100_000_000;

const fetchTrusted = createGuardedFetch({ hosts: 'same-origin', maxBytes: MAX_DOWNLOAD, timeoutMs: 60_000 });
/** Limits of one run. The next run continues, since downloaded photos are kept. */
const MAX_PHOTOS = 100_000;
const MAX_BYTES = 50_000_000_000;
const MAX_FAILURES = 5;

/** Must be called anew for each run, since downloads use up the budget. */
export function createPhotoAccess({ allowHttp = false, allowPrivate = [] }: PhotoOptions['photoRules'] = {}) {
  const bounds = { hosts: 'public', maxBytes: MAX_DOWNLOAD, timeoutMs: 20_000 } as const;
  const fetchPublic = withoutDeadHosts(createGuardedFetch({ ...bounds, allowHttp, allowPrivate }));
  return { fetchPublic, allowHttp, budget: { photos: MAX_PHOTOS, bytes: MAX_BYTES } };
}

/** After `MAX_FAILURES` failures in a row, a host is not asked again, since each photo would cost a timeout. */
function withoutDeadHosts(get: typeof fetch): typeof fetch {
  const failures = new Map<string, number>();
  return async (input, init) => {
    const host = parseUrl(String(input))?.host ?? '';
    const count = failures.get(host) ?? 0;
    const message = `${host} failed ${MAX_FAILURES} times in a row, and is not asked again in this run`;
    if (count >= MAX_FAILURES) throw new FetchRefusal(message);
    try {
      const response = await get(input, init);
      failures.delete(host);
      return response;
    } catch (error) {
      if (error instanceof TypeError) failures.set(host, count + 1);
      throw error;
    }
  };
}

export async function planPhotos(
  property: AuthoredProperty,
  links: ReadonlyMap<string, string>,
  yaml: string,
  options: Planning,
) {
  const folder = posix.dirname(yaml);
  const start = posix.join(folder, `photos/${posix.basename(yaml, '.yaml')}-`);
  const findings: ImportFinding[] = [];
  const photo: AuthoredPhoto[] = [];
  const writes: PlannedPhoto[] = [];
  for (const [index, one] of property.photo.entries()) {
    const { url, thumbnail: _thumbnail, ...rest } = one;
    const link = url && (links.get(url) ?? url);
    try {
      if (link !== undefined && !options.photos) {
        const present = options.ledger.fileOf(link, start);
        // `validateAndRenderCandidate` accepted this http link because it is also the link of another property's photo,
        // which was downloaded.
        if (present === undefined && link !== one.url) throw new FetchRefusal(NOT_PUBLISHED);
        photo.push(present === undefined ? one : { ...rest, file: posix.relative(folder, present) });
        continue;
      }
      const planned = await planPhoto({ yaml, stem: `${start}${index + 1}`, link, file: one.file }, options);
      if (planned.write) writes.push(planned.write);
      if (planned.finding) findings.push(planned.finding);
      photo.push({ ...rest, file: posix.relative(folder, planned.path) });
    } catch (error) {
      if (!(error instanceof FetchRefusal)) throw error;
      const isKept = link !== undefined && link === one.url;
      const done = link === undefined ? 'copied' : 'downloaded';
      const message = `The photo ${link ?? one.file ?? ''} was not ${done}: ${error.message}.`;
      const help = isKept ? 'It stays a link.' : 'The property is imported without it.';
      findings.push(warningFinding('photo-not-received', message, help, 'photo'));
      if (isKept) photo.push(one);
    }
  }
  const { length } = property.photo;
  const isSame = photo.length === length && photo.every((one, index) => one === property.photo[index]);
  return { property: isSame ? property : { ...property, photo }, writes, findings };
}

/** Maximum number of hosts that the question names. */
const MOST_HOSTS = 3;
/** With this many photos or more (about 1 GiB in total), the default answer is not to download them. */
const LARGE = 1_024;

/** Undefined if no photo is a link. `isLarge`: Enter means no. */
export async function photoDownloadQuestion(
  { photo }: Proposal,
  table: Pick<RowSource, 'rows'>,
  terms: Terms,
): Promise<{ readonly question: string; readonly isLarge: boolean } | undefined> {
  if (photo === undefined) return undefined;
  const mapping = { photo } as TableMapping;
  const mapRow = rowMapper(mapping, terms);
  const hosts = new Map<string, number>();
  let isUnsafe = false;
  for await (const { value } of table.rows(columnsOf(mapping)))
    for (const one of ((value && mapRow(value).photo) ?? []) as readonly { readonly url?: unknown }[]) {
      const { protocol, host } = parseUrl(String(one.url)) ?? {};
      if (host) hosts.set(host, (hosts.get(host) ?? 0) + 1);
      isUnsafe ||= protocol === 'http:';
    }
  const names = sortedByCount(hosts).map(([host]) => host);
  if (names.length === 0) return undefined;
  const without = isUnsafe
    ? 'Without, links that begin with "http:" are left out, since pages cannot show them'
    : 'Without, guests see links in place of pictures';
  const count = [...hosts.values()].reduce((sum, one) => sum + one, 0);
  const more = names.length > MOST_HOSTS ? ` and ${countText(names.length - MOST_HOSTS, 'other host')}` : '';
  const from = `${names.slice(0, MOST_HOSTS).join(', ')}${more}`;
  const question = `${countText(count, 'photo')} ${count === 1 ? 'is a link' : 'are links'}, to ${from}. Download? At 1 MiB each that is ${bytesText(count * 2 ** 20)}. ${without}; the same command with --photos downloads them later.`;
  return { question, isLarge: count >= LARGE };
}

/** `stem`: path without extension. */
type Wanted = Readonly<Record<'yaml' | 'stem', string> & Record<'link' | 'file', string | undefined>>;
type Planned = { readonly path: string; readonly write?: PlannedPhoto; readonly finding?: ImportFinding };

async function planPhoto(wanted: Wanted, options: Planning): Promise<Planned> {
  const { stem, link, file = '' } = wanted;
  const { budget, force, ledger } = options;
  const present = link === undefined || force ? undefined : ledger.fileOf(link, stem);
  if (present !== undefined) return { path: present };
  if (budget.photos <= 0 || budget.bytes <= 0) throw new FetchRefusal(SPENT);
  const bytes = link === undefined ? copied(file, options) : await fetched(link, options);
  budget.photos--;
  budget.bytes -= bytes.length;
  const format = await photoFormat(bytes);
  const extension = format === 'JPEG' ? 'jpg' : format.toLowerCase();
  const digest = hash('sha256', bytes);
  // The fallback name contains the digest, so a file of that name is almost certainly this photo.
  for (const path of [`${stem}.${extension}`, `${stem}-${digest.slice(0, 12)}.${extension}`]) {
    const planned = planAt(path, bytes, wanted, options);
    if (planned) return planned;
  }
  throw new FetchRefusal('other photos have its names');
}

const NOT_PUBLISHED = 'a link that begins with "http:" is not published; --photos downloads it';
const SPENT = 'this run has received as many photos as one may; run the same command again for the others';

/** Decodes the whole photo, since even a truncated one has a valid header. */
async function photoFormat(bytes: Buffer): Promise<PhotoFormat> {
  const format = recogniseFormat(bytes.subarray(0, 4096));
  if (!isPhotoFormat(format))
    throw new FetchRefusal(REFUSED_FORMATS[format] ?? `it is ${format}, not a photo`);
  const problem = await findPhotoProblem(bytes);
  if (problem) throw new FetchRefusal(`it is damaged or too large for a catalogue (${reasonIn(problem)})`);
  return format;
}

const REFUSED_FORMATS: Readonly<Record<string, string>> = {
  unknown: 'it is not a photo of a known format',
  text: 'it is a text, perhaps the message of an error',
  'Git LFS pointer': 'it is the pointer of Git LFS to a photo: run "git lfs pull" where it comes from',
  HTML: 'it is a web page, perhaps one that asks to log in',
};

function reasonIn({ code, args }: MediaProblem): string {
  if (code === 'photo-too-large') return `${args.width} × ${args.height} pixels`;
  return String(args.reason ?? args.format ?? code);
}

const KEPT = 'It stays as it is. To have the one of the source, delete it, or import with --force.';

function planAt(path: string, bytes: Buffer, { yaml, link }: Wanted, options: Planning): Planned | undefined {
  const state = options.ledger.stateOf(path, bytes);
  if (state === 'same' || state === 'kept') return { path };
  if (state === 'foreign' || (state !== 'absent' && options.isUsedElsewhere(path, yaml))) return undefined;
  if (state === 'edited' && !options.force) {
    const message = `The photo ${path} was changed since it was imported, and the source has another one now.`;
    return { path, finding: warningFinding('edited-photo', message, KEPT, 'photo') };
  }
  return { path, write: { path, bytes, state, address: link } };
}

async function fetched(url: string, { trustedOrigin, fetchPublic, allowHttp }: Planning): Promise<Buffer> {
  if (trustedOrigin !== undefined && parseUrl(url)?.origin === trustedOrigin)
    return downloadPhoto(url, fetchTrusted);
  const isHttp = !allowHttp && /^http:/i.test(url);
  try {
    return await downloadPhoto(isHttp ? url.replace(/^http:/i, 'https:') : url, fetchPublic);
  } catch (error) {
    if (!(error instanceof FetchRefusal)) throw error;
    const { message, privateHost } = error;
    const secured = isHttp ? `over https, ${message}; --allow-http-photos asks over http` : message;
    const permitted = privateHost === undefined ? '' : `; --allow-private-photos ${privateHost} permits it`;
    throw new FetchRefusal(secured + permitted);
  }
}

export async function downloadPhoto(url: string, get: typeof fetch): Promise<Buffer> {
  try {
    const response = await get(url, { headers: { accept: 'image/*', 'user-agent': 'property-catalogue' } });
    if (response.status !== 200) throw new FetchRefusal(`the server answered ${response.status}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (bytes.length === 0) throw new FetchRefusal('the server sent nothing');
    return bytes;
  } catch (error) {
    throw networkRefusal(error);
  }
}

function networkRefusal(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
  if (code === undefined) return new FetchRefusal(message);
  const isBroken = code === 'ECONNRESET' || code === 'UND_ERR_SOCKET';
  return new FetchRefusal(isBroken ? 'the connection broke off' : `the connection failed (${code})`);
}

function copied(file: string, { from }: Planning): Buffer {
  if (from === undefined) throw new FetchRefusal('the source has no files');
  if (file.split(/[\\/]/).includes('..')) throw new FetchRefusal('its path goes up with ".."');
  try {
    const real = realpathSync(resolve(from, file));
    if (!isInside(realpathSync(from), real)) throw new FetchRefusal('it is outside the folder of the source');
    const stats = statSync(real);
    if (!stats.isFile()) throw new FetchRefusal('it is not a regular file');
    if (stats.size > MAX_COPY) throw new FetchRefusal(`it has more than ${formatNumber(MAX_COPY)} bytes`);
    return readFileSync(real);
  } catch (error) {
    throw error instanceof FetchRefusal ? error : new FetchRefusal(fileErrorReason(error));
  }
}
