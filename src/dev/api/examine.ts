/** What a text would be as a file of the catalogue: its values, what is wrong with it, and what the API would answer. */

import { dateFinding } from '../../build/read/catalogue.ts';
import { type FileRecord, recordOf } from '../../build/read/files.ts';
import type { Configuration } from '../../contract/configuration.ts';
import { mediaKey } from '../../contract/keys.ts';
import type { Property } from '../../contract/property.ts';
import { type Authored, EDIT_API_PATH, type PublicationState } from '../../editor/api.ts';
import { isMapping } from '../../mapping.ts';
import { photoName } from '../../media/name.ts';
import { digestFile } from '../../media/source.ts';
import { CROSS_CODES, crossCheck } from '../../source/cross-file-checks.ts';
import type { PlacedFile } from '../../source/cross-finding.ts';
import { type Diagnostic, diagnose } from '../../source/diagnostic.ts';
import { createPhotoFinder } from '../../source/photo-file.ts';
import { readQuickly } from '../../source/simple-yaml.ts';
import { readExactly } from '../../source/yaml-document.ts';
import { photosOf } from '../memory.ts';
import type { Session } from '../session.ts';
import { stateAt } from './state.ts';

/** What was found out about a text. */
export type Examined = {
  readonly values: { readonly [field: string]: Authored };
  readonly diagnostics: readonly Diagnostic[];
  readonly preview: Property | null;
  readonly state: PublicationState;
};

/** Examines the text of a file of the catalogue, as it is or as it would be. */
export async function examine(session: Session, path: string, bytes: Buffer): Promise<Examined> {
  const records = await session.lastRecords();
  const configuration = session.configuration();
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const known = records.get(path);
  const photos = createPhotoFinder(session.content, photosOf(records.values()), digestFile);
  let detail: Buffer | undefined;
  const spool = {
    add(staged: Buffer) {
      detail = staged;
      return { spool: 0, offset: 0, length: staged.length };
    },
  };
  const task = { ...configuration, mediaBase: MEDIA_BASE };
  const record = recordOf(task, path, bytes, photos, spool);
  const { visibility } = record;
  const dated = dateFinding(path, visibility, session.instant(), () => readExactly(text, path));
  const diagnostics = [
    ...record.diagnostics,
    ...(dated ? [dated] : []),
    ...crossFindings(records, record, text),
    ...pictureFindings(known, record, text),
  ];
  const isSound = diagnostics.every(({ severity }) => severity === 'warning');
  const preview = isSound && detail ? previewOf(detail, record, configuration) : null;
  const state = stateAt(visibility, session.instant());
  return { values: valuesOf(text), diagnostics, preview, state };
}

/** Stands for where photos are, until their paths are put in. */
const MEDIA_BASE = 'https://media.invalid';

/** The answer of the API, with photos of the content folder as this page can ask for them. */
function previewOf(detail: Buffer, { media }: FileRecord, { photo }: Configuration): Property {
  const property = JSON.parse(detail.toString('utf8')) as Property;
  const paths = new Map(
    media.map(({ path, digest }) => [`${MEDIA_BASE}/${mediaKey(photoName(digest, photo))}`, path]),
  );
  return {
    ...property,
    photo: property.photo.map((one) => {
      const path = paths.get(one.url);
      return path === undefined ? one : { ...one, url: photoUrl(path) };
    }),
  };
}

/** Where the page asks for a photo of the content folder. */
function photoUrl(path: string): string {
  return `${EDIT_API_PATH}photo?path=${encodeURIComponent(path)}`;
}

/** What is wrong across files with a file that differs from its record. */
function crossFindings(
  records: ReadonlyMap<string, FileRecord>,
  record: FileRecord,
  text: string,
): Diagnostic[] {
  const own = placedOf(record);
  if (!own) return [];
  const known = records.get(record.path);
  // They depend on the place alone, and take longest to find.
  if (known && JSON.stringify(placedOf(known)) === JSON.stringify(own)) {
    return known.diagnostics.filter(({ code }) => CROSS_CODES.has(code));
  }
  const others = [...records.values()].filter(({ path }) => path !== record.path);
  const placed = [own, ...others.flatMap((other) => placedOf(other) ?? [])];
  const found = crossCheck(placed).filter(({ path }) => path === record.path);
  if (found.length === 0) return [];
  const { spanOf } = readExactly(text, record.path);
  return found.map(({ code, path, field, args }) => diagnose(code, path, spanOf([field]), args, [field]));
}

function placedOf({ path, entry, placed = entry }: FileRecord): PlacedFile | undefined {
  return placed && { path, id: placed.id, country: placed.country, city: placed.city };
}

/** What was found wrong with the pictures of the file as it is, as far as it still names them. */
function pictureFindings(known: FileRecord | undefined, record: FileRecord, text: string): Diagnostic[] {
  const found = known?.diagnostics.filter(({ code }) => PICTURE_CODES.has(code)) ?? [];
  return found.flatMap((diagnostic) => {
    const [, place] = diagnostic.fieldPath ?? [];
    const old = known?.media.find(({ index }) => index === place);
    const now = record.media.find(({ path, digest }) => path === old?.path && digest === old.digest);
    if (!now) return [];
    const fieldPath = ['photo', now.index, 'file'];
    return { ...diagnostic, fieldPath, span: readExactly(text, record.path).spanOf(fieldPath) };
  });
}

/** Codes of what only the picture itself shows. */
const PICTURE_CODES: ReadonlySet<string> = new Set<Diagnostic['code']>([
  'photo-corrupt',
  'photo-unsupported',
  'photo-too-large',
  'photo-animated',
]);

/** What a text says, every scalar as its text; null for what cannot be read. */
export function valuesOf(text: string): Examined['values'] {
  const quick = readQuickly(text);
  const exact = quick === undefined ? readExactly(text, '') : undefined;
  const value = authored(quick ?? exact?.value ?? exact?.rest);
  return isMapping(value) ? (value as Examined['values']) : {};
}

function authored(value: unknown): Authored {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(authored);
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, authored(inner)]));
}
