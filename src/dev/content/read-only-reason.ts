/** Why the form cannot change a file. */
import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { conflictedVersions } from '../../editing/conflicted-text.ts';
import type { Refusal, RefusalReason } from '../../editing/refusal.ts';
import { refusalOf } from '../../editing/set-fields.ts';
import type { ConflictedValues, FieldValues, ReadOnlyReason } from '../../editor/api.ts';
import type { EditContext } from '../api/edit-context.ts';
import { committedFile } from '../git/git-objects.ts';
import { readUnfinishedOperation } from '../git/unfinished-merge.ts';
import { readFieldValues } from './read-field-values.ts';

const SHARED = 'Several places of this file share one value, so a change here would change the others too.';
const ODD = 'This is written in a way that the form cannot change.';

export const FORM_REASONS: Readonly<Record<RefusalReason, string>> = {
  'syntax-error': 'The text of this file has a mistake in it, so the form cannot read it.',
  'merge-conflict':
    'Two people changed the same, and a merge was not finished: this file holds both versions. Choose by field on the page of this property. If it offers no choice, a colleague keeps one of the two as text, and deletes the lines that start with <<<<<<<, ======= and >>>>>>>.',
  'several-documents': 'This file holds several properties. Each needs a file of its own.',
  'duplicate-key': 'A field occurs twice in this file. Remove one of the two.',
  'not-a-property': 'The text of this file is not a property.',
  'flow-mapping': 'This file is written between braces, which the form cannot change.',
  'odd-flow-mapping': 'This file is written between braces, which the form cannot change.',
  anchor: SHARED,
  tag: ODD,
  'merge-key': SHARED,
  'explicit-key': ODD,
  unformatted: ODD,
  unwritable: ODD,
  'too-long': 'The file would become too long for a property. Shorten a text, or remove an entry.',
};

/** Null if the form can change the file. */
export function readOnlyReasonOf(context: EditContext, path: string, bytes: Buffer): ReadOnlyReason | null {
  if (!isUtf8(bytes))
    return readOnlyReasonAt(context, path, 'The text of this file has letters that cannot be read.', null);
  const refusal = refusalOf(bytes.toString('utf8'));
  return refusal ? readOnlyReasonFrom(context, path, refusal) : null;
}

export function readOnlyReasonFrom(
  context: EditContext,
  path: string,
  { refused, line }: Refusal,
): ReadOnlyReason {
  const obstacle = readOnlyReasonAt(context, path, FORM_REASONS[refused], line);
  return { ...obstacle, isShared: refused === 'anchor', isMerging: refused === 'merge-conflict' };
}

/** @param line null if the reason is about the whole file */
export function readOnlyReasonAt(
  context: EditContext,
  path: string,
  reason: string,
  line: number | null,
): ReadOnlyReason {
  return { reason, line, link: vscodeLink(context, path) + (line === null ? '' : `:${line}`) };
}

export function vscodeLink({ session }: EditContext, path: string): string {
  return `vscode://file${pathToFileURL(join(session.content, path)).pathname}`;
}

export function conflictedVersionsIn(bytes: Buffer) {
  return isUtf8(bytes) ? conflictedVersions(bytes.toString('utf8')) : undefined;
}

export async function conflictedValues(
  { session: { content } }: EditContext,
  path: string,
  bytes: Buffer,
): Promise<ConflictedValues | undefined> {
  const versions = conflictedVersionsIn(bytes);
  if (!versions) return undefined;
  // During a merge, stage 1 of the index is the common version.
  const common = versions.base ?? (await committedFile(content, ':1', path))?.toString('utf8') ?? '';
  const texts = [common, versions.yours, versions.theirs];
  const [base, yours, theirs] = texts.map(readFieldValues) as [FieldValues, FieldValues, FieldValues];
  const kind =
    versions.names[1] === 'Stashed changes'
      ? 'stash'
      : ((await readUnfinishedOperation(content).catch(() => undefined))?.shown.kind ?? null);
  return { base, yours, theirs, kind, names: versions.names };
}
