/** Checks a text as a property file of the catalogue: values, diagnostics and publication state. */

import { dateFinding } from '../../build/read/catalogue.ts';
import { type FileRecord, recordOf } from '../../build/read/files.ts';
import { hiddenBecause, type Reason, type Visibility } from '../../contract/visibility.ts';
import type { Authored, PublicationState } from '../../editor/api.ts';
import { isMapping } from '../../mapping.ts';
import { digestFile } from '../../media/source.ts';
import { CROSS_CODES, crossCheck } from '../../source/cross-file-checks.ts';
import type { PlacedFile } from '../../source/cross-finding.ts';
import { type Diagnostic, diagnose } from '../../source/diagnostic.ts';
import { createPhotoFinder } from '../../source/photo-file.ts';
import { readQuickly } from '../../source/simple-yaml.ts';
import { readExactly } from '../../source/yaml-document.ts';
import type { Session } from '../session.ts';

export type CheckedText = {
  readonly values: { readonly [field: string]: Authored };
  readonly diagnostics: readonly Diagnostic[];
  readonly state: PublicationState;
};

/** Checks a file's text, whether it is saved or not. */
export async function checkText(session: Session, path: string, bytes: Buffer): Promise<CheckedText> {
  const records = await session.records();
  const configuration = session.configuration();
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const known = records.get(path);
  const used = new Map(
    [...records.values()].flatMap(({ media }) => media.map((photo) => [photo.path, photo])),
  );
  const photos = createPhotoFinder(session.content, used, digestFile);
  // Nothing is published, so the detail is discarded.
  const spool = { add: ({ length }: Buffer) => ({ spool: 0, offset: 0, length }) };
  const task = { ...configuration, mediaBase: '' };
  const record = recordOf(task, path, bytes, photos, spool);
  const { visibility } = record;
  const dated = dateFinding(path, visibility, session.instant(), () => readExactly(text, path));
  const diagnostics = [
    ...record.diagnostics,
    ...(dated ? [dated] : []),
    ...crossFindings(records, record, text),
    ...pictureFindings(known, record, text),
  ];
  const state = stateAt(visibility, session.instant());
  return { values: valuesOf(text), diagnostics, state };
}

/** Returns the diagnostics across files for a changed file. */
function crossFindings(
  records: ReadonlyMap<string, FileRecord>,
  record: FileRecord,
  text: string,
): Diagnostic[] {
  const own = placedOf(record);
  if (!own) return [];
  const known = records.get(record.path);
  // These depend only on id, country and city, and take longest.
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

/** Returns the diagnostics about images from the file's last build, for photos that it still uses. */
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

/** Codes of diagnostics that require decoding the image. */
const PICTURE_CODES: ReadonlySet<string> = new Set<Diagnostic['code']>([
  'photo-corrupt',
  'photo-unsupported',
  'photo-too-large',
  'photo-animated',
]);

/** Parses a text's values, with each scalar as text; null for unreadable ones. */
export function valuesOf(text: string): CheckedText['values'] {
  const quick = readQuickly(text);
  const exact = quick === undefined ? readExactly(text, '') : undefined;
  const value = authored(quick ?? exact?.value ?? exact?.rest);
  return isMapping(value) ? (value as CheckedText['values']) : {};
}

function authored(value: unknown): Authored {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(authored);
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, authored(inner)]));
}

const STATES: Readonly<Record<Reason, PublicationState>> = {
  draft: 'draft',
  early: 'scheduled',
  over: 'ended',
};

/** Returns the publication state at an instant. */
export function stateAt(visibility: Visibility | undefined, instant: number): PublicationState {
  const reason = hiddenBecause(visibility, instant);
  return reason === undefined ? 'live' : STATES[reason];
}
