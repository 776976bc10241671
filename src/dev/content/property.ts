import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { scanContent } from '../../compile/inputs/scan.ts';
import { declaredTerms } from '../../contract/terms.ts';
import { conflictedVersions } from '../../editing/conflicted-text.ts';
import { photoPathsIn } from '../../editing/photo-path.ts';
import { FORM_REASONS, type Refusal } from '../../editing/refusal.ts';
import { refusalOf, separateFields, setFields } from '../../editing/set-fields.ts';
import type {
  CheckResponse,
  ConflictedValues,
  FieldValues,
  PropertyResponse,
  ReadOnlyReason,
  SaveConflict,
} from '../../editor/api.ts';
import type { RequestBody } from '../../editor/requests.ts';
import { isSourcePath } from '../../source/content-path.ts';
import { type ContentFile, readContentFile, replaceContentFile } from '../content-folder.ts';
import { type EditContext, reasonWithLink, vscodeLink } from '../edit-context.ts';
import { readFieldValues } from '../field-values.ts';
import { readPropertyId } from '../file-index.ts';
import { fileInCommit } from '../git/git.ts';
import { gitState } from '../git/git-state.ts';
import { lineChanges } from '../git/line-changes.ts';
import { RefusedRequest } from '../refused-request.ts';
import type { Session } from '../session.ts';
import { type CheckedText, checkText } from './check-text.ts';
import { editorFindings } from './editor-findings.ts';

export async function readProperty({ session }: EditContext, path: string): Promise<ContentFile> {
  const isKnown = async () => (await session.index()).files.has(path) || isFound(session, path);
  if (!isSourcePath(path) || !(await isKnown())) {
    throw new RefusedRequest(
      'not-found',
      `There is no property file ${path.slice(0, 200)}. It may have been renamed.`,
    );
  }
  return readContentFile(session.content, path);
}

function isFound({ content, configuration }: Session, path: string): boolean {
  return scanContent(content, configuration()).files.includes(path);
}

export async function findPathById({ session }: EditContext, id: unknown): Promise<string | undefined> {
  const { content } = session;
  const { files } = await session.index();
  for (const file of files.values())
    if (file.id === id && existsSync(join(content, file.path))) return file.path;
  // The index lacks files that are newer than the last build, for example after a checkout.
  const unseen = scanContent(content, session.configuration()).files.filter((path) => !files.has(path));
  return unseen.find((path) => readPropertyId(content, path) === id);
}

/** @throws RefusedRequest `not-found` */
export async function propertyResponse(context: EditContext, path: string): Promise<PropertyResponse> {
  const { bytes, version } = await readProperty(context, path);
  const text = bytes.toString('utf8');
  const checked = await checkText(context, path, bytes);
  const obstacle = readOnlyReason(context, path, bytes);
  const versions = obstacle && (await conflictedValues(context, path, bytes));
  return {
    path,
    version,
    ...contentResponse(context, text, checked),
    obstacle: obstacle && { ...obstacle, ...(versions && { versions }) },
    link: vscodeLink(context, path),
  };
}

/** Checks changes without writing them. @throws RefusedRequest `changed-meanwhile`, `not-editable`, `not-found` */
export async function checkFields(
  context: EditContext,
  { path, version, fields }: RequestBody<'save'>,
): Promise<CheckResponse> {
  const { bytes, version: now } = await readProperty(context, path);
  if (now !== version) throw await conflictError(context, path);
  const before = bytes.toString('utf8');
  const after = textWith(context, path, bytes, fields);
  const checked = await checkText(context, path, Buffer.from(after));
  return { ...contentResponse(context, after, checked), lines: lineChanges(before, after) };
}

/**
 * Changes only the lines of `fields`.
 * @throws RefusedRequest `changed-meanwhile`, `not-editable`, `not-found`, `not-written`
 */
export async function saveFields(
  context: EditContext,
  { path, version, fields, isSeparating = false, isMerging = false }: RequestBody<'save'>,
): Promise<PropertyResponse> {
  const { session } = context;
  const { bytes, version: now } = await readProperty(context, path);
  if (now !== version) throw await conflictError(context, path);
  const before = (isMerging && versionsIn(bytes)?.yours) || bytes;
  const after = Buffer.from(textWith(context, path, Buffer.from(before), fields, isSeparating));
  if (!after.equals(bytes)) {
    try {
      replaceContentFile(session.content, path, version, after);
    } catch (error) {
      throw error instanceof RefusedRequest && error.code === 'changed-meanwhile'
        ? await conflictError(context, path)
        : error;
    }
    // The end of the session deletes `uploads` that no property shows. Saved photos must stay: by then, the property
    // may be on another branch.
    for (const photo of photoPathsIn(path, after.toString('utf8')) ?? []) context.uploads.delete(photo);
    session.notify(path);
  }
  return propertyResponse(context, path);
}

function textWith(
  context: EditContext,
  path: string,
  bytes: Buffer,
  fields: FieldValues,
  isSeparating = false,
): string {
  const obstacle = readOnlyReason(context, path, bytes);
  if (obstacle) throw new RefusedRequest('not-editable', obstacle.reason, { obstacle });
  const text = bytes.toString('utf8');
  const { fields: table } = declaredTerms(context.session.configuration());
  const separate = isSeparating ? separateFields(text, table) : { text };
  const edited = 'refused' in separate ? separate : setFields(separate.text, fields, table);
  if (!('refused' in edited)) return edited.text;
  throw new RefusedRequest('not-editable', edited.message, { obstacle: obstacleFrom(context, path, edited) });
}

export async function conflictError(context: EditContext, path: string): Promise<RefusedRequest> {
  const conflict: SaveConflict = { theirs: await propertyResponse(context, path).catch(() => null) };
  const message = `${path} was saved meanwhile. Nothing was written.`;
  return new RefusedRequest('changed-meanwhile', message, { conflict });
}

export function contentResponse(
  { session }: EditContext,
  text: string,
  { values, diagnostics, state }: CheckedText,
) {
  const terms = declaredTerms(session.configuration());
  return {
    text,
    values,
    findings: editorFindings(diagnostics, { text, values, terms }),
    state,
  };
}

function readOnlyReason(context: EditContext, path: string, bytes: Buffer): ReadOnlyReason | null {
  if (!isUtf8(bytes))
    return reasonWithLink(context, path, 'The text of this file has letters that cannot be read.', null);
  const refusal = refusalOf(bytes.toString('utf8'));
  return refusal ? obstacleFrom(context, path, refusal) : null;
}

function versionsIn(bytes: Buffer) {
  return isUtf8(bytes) ? conflictedVersions(bytes.toString('utf8')) : undefined;
}

async function conflictedValues(
  { session: { content } }: EditContext,
  path: string,
  bytes: Buffer,
): Promise<ConflictedValues | undefined> {
  const versions = versionsIn(bytes);
  if (!versions) return undefined;
  // During a merge, stage 1 of the index is the common version.
  const common = versions.base ?? (await fileInCommit(':1', content, path))?.toString('utf8') ?? '';
  const texts = [common, versions.yours, versions.theirs].map((text) => text.replace(/^\ufeff/, ''));
  const [base, yours, theirs] = texts.map(readFieldValues) as [FieldValues, FieldValues, FieldValues];
  const kind =
    versions.names[1] === 'Stashed changes' ? 'stash' : ((await gitState(content))?.merge?.kind ?? null);
  return { base, yours, theirs, kind, names: versions.names };
}

function obstacleFrom(context: EditContext, path: string, { refused, line }: Refusal): ReadOnlyReason {
  const reason = reasonWithLink(context, path, FORM_REASONS[refused], line);
  return { ...reason, isShared: refused === 'anchor', isMerging: refused === 'merge-conflict' };
}
