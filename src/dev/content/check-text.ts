import { dateDiagnostic } from '../../compile/read/catalogue.ts';
import type { FileRecord } from '../../compile/read/file-record.ts';
import { recordFromBytes } from '../../compile/read/files.ts';
import { declaredTerms } from '../../contract/terms.ts';
import { type HiddenReason, hiddenReasonAt, type Visibility } from '../../contract/visibility.ts';
import type { AuthoredValue, PublicationState } from '../../editor/api.ts';
import { digestFile } from '../../media/source-photo.ts';
import { CROSS_FILE_CODES, checkAcrossFiles } from '../../source/cross-file-checks.ts';
import { createDiagnostic, type Diagnostic } from '../../source/diagnostic.ts';
import { createPhotoFinder } from '../../source/photo-file.ts';
import { readYamlExactly } from '../../source/yaml-document.ts';
import type { EditContext } from '../api/edit-context.ts';
import type { FileIndex } from '../session/file-index.ts';
import { readFieldValues } from './read-field-values.ts';

export type TextCheckResult = {
  readonly values: { readonly [field: string]: AuthoredValue };
  readonly diagnostics: readonly Diagnostic[];
  readonly state: PublicationState;
};

export async function checkPropertyText(
  { session, photos }: EditContext,
  path: string,
  bytes: Buffer,
): Promise<TextCheckResult> {
  const index = await session.index();
  const configuration = session.configuration();
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const known = session.fileRecord(path);
  for (const photo of known?.media ?? []) if (!photos.has(photo.path)) photos.set(photo.path, photo);
  const finder = createPhotoFinder(session.content, photos, digestFile);
  // Discards the property's details, which only a build writes.
  const spool = { add: ({ length }: Buffer) => ({ spool: 0, offset: 0, length }) };
  const task = { ...configuration, terms: declaredTerms(configuration), mediaBase: '' };
  const record = recordFromBytes(task, path, bytes, finder, spool);
  for (const photo of record.media) photos.set(photo.path, photo);
  const { visibility } = record;
  const dated = dateDiagnostic(path, visibility, session.instant(), () => readYamlExactly(text, path));
  const diagnostics = [
    ...record.diagnostics,
    ...(dated ? [dated] : []),
    ...crossFindings(index, record, text),
    ...pictureFindings(known, index.diagnostics.get(path) ?? [], record, text),
  ];
  const state = publicationStateAt(visibility, session.instant());
  return { values: readFieldValues(text), diagnostics, state };
}

function crossFindings({ files, diagnostics }: FileIndex, record: FileRecord, text: string): Diagnostic[] {
  const { path, entry, crossFileValues = entry } = record;
  if (!crossFileValues) return [];
  const own = { path, id: crossFileValues.id, country: crossFileValues.country, city: crossFileValues.city };
  const known = files.get(path);
  // Checks across files are slow and depend only on id, country and city. If none changed, reuses the last findings.
  if (known?.id === own.id && known?.country === own.country && known?.city === own.city) {
    return diagnostics.get(path)?.filter(({ code }) => CROSS_FILE_CODES.has(code)) ?? [];
  }
  const others = [...files.values()].filter((file) => file.path !== path);
  const found = checkAcrossFiles([own, ...others]).filter((finding) => finding.path === path);
  if (found.length === 0) return [];
  const { spanOf } = readYamlExactly(text, path);
  return found.map(({ code, field, args }) => createDiagnostic(code, path, spanOf([field]), args, [field]));
}

function pictureFindings(
  known: FileRecord | undefined,
  diagnostics: readonly Diagnostic[],
  record: FileRecord,
  text: string,
): Diagnostic[] {
  const found = diagnostics.filter(({ code }) => PICTURE_CODES.has(code));
  return found.flatMap((diagnostic) => {
    const [, place] = diagnostic.fieldPath ?? [];
    const old = known?.media.find(({ index }) => index === place);
    const now = record.media.find(({ path, digest }) => path === old?.path && digest === old.digest);
    if (!now) return [];
    const fieldPath = ['photo', now.index, 'file'];
    return { ...diagnostic, fieldPath, span: readYamlExactly(text, record.path).spanOf(fieldPath) };
  });
}

/** Only a build decodes images, so its findings with these codes are reused. */
const PICTURE_CODES: ReadonlySet<string> = new Set<Diagnostic['code']>([
  'photo-corrupt',
  'photo-unsupported',
  'photo-too-large',
  'photo-animated',
]);

const STATES: Readonly<Record<HiddenReason, PublicationState>> = {
  draft: 'draft',
  early: 'scheduled',
  over: 'ended',
};

export function publicationStateAt(visibility: Visibility | undefined, instant: number): PublicationState {
  const reason = hiddenReasonAt(visibility, instant);
  return reason === undefined ? 'live' : STATES[reason];
}
