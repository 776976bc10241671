import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { declaredTerms } from '../../contract/terms.ts';
import { photoPathsIn } from '../../editing/photo-path.ts';
import { separateSharedValues, setFields } from '../../editing/set-fields.ts';
import type { CheckResponse, FieldValues, PropertyResponse, SaveConflict } from '../../editor/api.ts';
import type { RequestBody } from '../../editor/request-schemas.ts';
import { isPropertyFilePath } from '../../source/content-path.ts';
import { scanContent } from '../../source/scan-content.ts';
import type { EditContext, RequestHandler } from '../api/edit-context.ts';
import { RefusedRequest } from '../api/refused-request.ts';
import { lineChanges } from '../git/line-changes.ts';
import { readPropertyId } from '../session/file-index.ts';
import type { Session } from '../session/session.ts';
import { checkPropertyText, type TextCheckResult } from './check-text.ts';
import { type ContentFile, readContentFile, replaceContentFile } from './content-files.ts';
import { editorFindings } from './editor-findings.ts';
import {
  conflictedValues,
  conflictedVersionsIn,
  readOnlyReasonFrom,
  readOnlyReasonOf,
  vscodeLink,
} from './read-only-reason.ts';

export async function readPropertyFile({ session }: EditContext, path: string): Promise<ContentFile> {
  const isKnown = async () => (await session.index()).files.has(path) || isFound(session, path);
  if (!isPropertyFilePath(path) || !(await isKnown())) {
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

/** @throws RefusedRequest `not-found`, `too-large`, `not-written` */
export async function propertyResponse(context: EditContext, path: string): Promise<PropertyResponse> {
  const { bytes, version } = await readPropertyFile(context, path);
  const text = bytes.toString('utf8');
  const checked = await checkPropertyText(context, path, bytes);
  const obstacle = readOnlyReasonOf(context, path, bytes);
  const versions = obstacle && (await conflictedValues(context, path, bytes));
  return {
    path,
    version,
    ...sharedResponseMembers(context, text, checked),
    obstacle: obstacle && { ...obstacle, ...(versions && { versions }) },
    link: vscodeLink(context, path),
  };
}

/**
 * Writes nothing.
 * @throws RefusedRequest `changed-meanwhile`, `not-editable`, `not-found`, `too-large`, `not-written`
 */
export async function checkFields(
  context: EditContext,
  { path, version, fields }: RequestBody<'save'>,
): Promise<CheckResponse> {
  const { bytes } = await readExpectedVersion(context, path, version);
  const before = bytes.toString('utf8');
  const after = editedText(context, path, bytes, fields);
  const checked = await checkPropertyText(context, path, Buffer.from(after));
  return { ...sharedResponseMembers(context, after, checked), lines: lineChanges(before, after) };
}

/**
 * Changes only the lines of `fields`. For `isSeparating` and `isMerging`, which change other lines too, see
 * `REQUEST_BODY_SCHEMAS.save`.
 * @throws RefusedRequest `changed-meanwhile`, `not-editable`, `not-found`, `too-large`, `not-written`
 */
export const saveFields: RequestHandler<'save'> = async (
  context,
  { path, version, fields, isSeparating = false, isMerging = false },
) => {
  const { session } = context;
  const { bytes } = await readExpectedVersion(context, path, version);
  const before = (isMerging && conflictedVersionsIn(bytes)?.yours) || bytes;
  const after = Buffer.from(editedText(context, path, Buffer.from(before), fields, isSeparating));
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
};

function editedText(
  context: EditContext,
  path: string,
  bytes: Buffer,
  fields: FieldValues,
  isSeparating = false,
): string {
  const obstacle = readOnlyReasonOf(context, path, bytes);
  if (obstacle) throw new RefusedRequest('not-editable', obstacle.reason, { obstacle });
  const text = bytes.toString('utf8');
  const { fields: table } = declaredTerms(context.session.configuration());
  const separate = isSeparating ? separateSharedValues(text, table) : { text };
  const edited = 'refused' in separate ? separate : setFields(separate.text, fields, table);
  if (!('refused' in edited)) return edited.text;
  throw new RefusedRequest('not-editable', edited.message, {
    obstacle: readOnlyReasonFrom(context, path, edited),
  });
}

/**
 * @throws RefusedRequest `changed-meanwhile` if the file has another version; `not-found`, `too-large`, `not-written`
 */
export async function readExpectedVersion(
  context: EditContext,
  path: string,
  version: string,
): Promise<ContentFile> {
  const file = await readPropertyFile(context, path);
  if (file.version !== version) throw await conflictError(context, path);
  return file;
}

export async function conflictError(context: EditContext, path: string): Promise<RefusedRequest> {
  const conflict: SaveConflict = { theirs: await propertyResponse(context, path).catch(() => null) };
  const message = `${path} was saved meanwhile. Nothing was written.`;
  return new RefusedRequest('changed-meanwhile', message, { conflict });
}

export function sharedResponseMembers(
  { session }: EditContext,
  text: string,
  { values, diagnostics, state }: TextCheckResult,
) {
  const terms = declaredTerms(session.configuration());
  return {
    text,
    values,
    findings: editorFindings(diagnostics, { text, values, terms }),
    state,
  };
}
