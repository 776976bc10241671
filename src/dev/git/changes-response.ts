import { differingFields } from '../../contract/detail-values.ts';
import { type FieldTable, fieldLabel } from '../../contract/fields.ts';
import type { Property } from '../../contract/property.ts';
import { declaredTerms, type Terms } from '../../contract/terms.ts';
import { fieldChanges } from '../../diff/field-change.ts';
import { type ChangedFile, type ChangesResponse, commitMessageFor } from '../../editor/changes.ts';
import { digestOf } from '../../release/digest.ts';
import { toProperty } from '../../release/to-published.ts';
import { CONFIGURATION_FILE, isPropertyFilePath } from '../../source/content-path.ts';
import { type Diagnostic, isError } from '../../source/diagnostic.ts';
import { applyDraftSeverity } from '../../source/draft-severity.ts';
import { checkPropertyFile } from '../../source/property-file.ts';
import type { EditContext } from '../api/edit-context.ts';
import { readIfPresent } from '../content/content-files.ts';
import { addedFindings } from '../session/findings-diff.ts';
import { changedFiles } from './changed-files.ts';
import { committedFiles } from './git-objects.ts';
import { lineChanges } from './line-changes.ts';
import { changedPhotosByProperty } from './photos-by-property.ts';
import { readGitState, revertProblem } from './unfinished-merge.ts';

/** @throws RefusedRequest `git-failed` if there is no repository */
export async function changesResponse({ session }: EditContext): Promise<ChangesResponse> {
  const { content } = session;
  const state = await readGitState(content);
  const changed = await changedFiles(content);
  const { git, merge } = state;
  const photos = await changedPhotosByProperty(content, changed);
  const terms = declaredTerms(session.configuration());
  const texts = [...changed].filter(
    ([path, kind]) => kind !== 'added' && (isPropertyFilePath(path) || path === CONFIGURATION_FILE),
  );
  const committed = await committedFiles(
    content,
    'HEAD',
    texts.map(([path]) => path),
  );
  const files: ChangedFile[] = [];
  for (const [path, kind] of [...changed].sort()) {
    const now = kind === 'removed' ? undefined : readIfPresent(content, path)?.bytes;
    files.push({
      ...toChangedFile(path, kind, committed.get(path), now, terms),
      ...(revertProblem(merge, path, now) !== undefined && { isMerging: true }),
      photos: photos.get(path) ?? [],
    });
  }
  return { git, files, message: merge?.message || commitMessageFor(files) };
}

export function toChangedFile(
  path: string,
  kind: ChangedFile['kind'],
  before: Buffer | undefined,
  now: Buffer | undefined,
  terms: Terms,
): Omit<ChangedFile, 'photos'> {
  const shared = { path, kind, version: now ? digestOf(now) : '' };
  const lines = () => lineChanges(before?.toString('utf8') ?? '', now?.toString('utf8') ?? '');
  if (!isPropertyFilePath(path)) {
    const isSettings = path === CONFIGURATION_FILE;
    const title = isSettings ? 'Settings of the catalogue' : path;
    return {
      ...shared,
      title,
      city: '',
      errors: 0,
      newErrors: 0,
      fields: [],
      lines: isSettings ? lines() : null,
    };
  }
  const [old, fresh] = [before, now].map((bytes) => bytes && readForm(bytes, path, terms));
  return {
    ...shared,
    title: fresh?.texts?.title || old?.texts?.title || path,
    city: fresh?.texts?.city || old?.texts?.city || '',
    errors: fresh?.errors.length ?? 0,
    newErrors: addedFindings(fresh?.errors ?? [], old?.errors ?? []).length,
    fields: old?.texts && fresh?.texts ? differences(old, fresh, terms) : [],
    ...(old && fresh && !(old.property && fresh.property) && { isPartial: true }),
    lines: lines(),
  };
}

type Form = {
  readonly texts: Readonly<Record<string, string | undefined>> | undefined;
  readonly property: Property | undefined;
  readonly errors: readonly Diagnostic[];
};

function readForm(bytes: Buffer, path: string, terms: Terms): Form {
  const { property, readable, diagnostics } = checkPropertyFile(bytes, path, terms);
  const texts = Object.entries(readable ?? {}).filter(([, value]) => typeof value === 'string');
  const photos = property?.photo.map(({ file, url }) => file ?? url ?? '') ?? [];
  return {
    texts: readable && (Object.fromEntries(texts) as Form['texts']),
    property: property && toProperty(property, { photos, thumbnail: null }, terms.fields),
    errors: applyDraftSeverity(readable, diagnostics).filter(isError),
  };
}

const isPublished = (name: string, { all }: FieldTable) => {
  const { published, language } = all.get(name)!;
  return published !== undefined || language !== undefined;
};

function differences(before: Form, after: Form, { fields }: Terms): ChangedFile['fields'] {
  const unpublished = [...fields.all.keys()].filter(
    (name) => !isPublished(name, fields) && before.texts?.[name] !== after.texts?.[name],
  );
  const own = unpublished.map((name) => ({
    label: fieldLabel(name, '', fields),
    field: name,
    before: before.texts?.[name],
    after: after.texts?.[name],
  }));
  if (!before.property || !after.property) return own;
  const [one, other] = [before.property, after.property];
  return [...own, ...fieldChanges(one, other, differingFields(one, other), fields)];
}
