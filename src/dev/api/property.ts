/** One property file as the page has it, and what edits would make of it. */
import { isUtf8 } from 'node:buffer';
import { editText, refusalOfText } from '../../editing/edit/edit-text.ts';
import type { Refusal } from '../../editing/edit/refusal.ts';
import type { CheckAnswer, Conflict, Edit, Obstacle, PropertyAnswer, SaveRequest } from '../../editor/api.ts';
import { isSourcePath } from '../../source/content-path.ts';
import { type ContentFile, readContentFile } from './content-folder.ts';
import { type Desk, editorLink, obstacleAt } from './desk.ts';
import { type Examined, examine } from './examine.ts';
import { findingsOf } from './finding.ts';
import { lineChanges } from './line-changes.ts';
import { Refused } from './refused.ts';

/** The file of a property. @throws Refused `not-found` for any other path. */
export async function readProperty({ session, versions }: Desk, path: string): Promise<ContentFile> {
  const isKnown = async () => (await session.lastRecords()).has(path) || (await session.records()).has(path);
  if (!isSourcePath(path) || !(await isKnown())) {
    throw new Refused(
      'not-found',
      `There is no property file ${path.slice(0, 200)}. It may have been renamed.`,
    );
  }
  const found = readContentFile(session.content, path);
  versions.keep(found.version, found.bytes.toString('utf8'));
  return found;
}

/** @throws Refused `not-found`. */
export async function propertyAnswer(desk: Desk, path: string): Promise<PropertyAnswer> {
  const { bytes, version } = await readProperty(desk, path);
  const { session, journal } = desk;
  const text = bytes.toString('utf8');
  const examined = await examine(session, path, bytes);
  return {
    path,
    version,
    ...described(desk, text, examined),
    obstacle: obstacleOf(desk, path, bytes),
    canUndo: journal.last(path)?.after === version,
    link: editorLink(desk, path),
  };
}

/** What edits of a file would do. @throws Refused `changed-meanwhile`, `not-editable`, `not-found`. */
export async function checkEdits(desk: Desk, { path, version, edits }: SaveRequest): Promise<CheckAnswer> {
  const { bytes, version: now } = await readProperty(desk, path);
  if (now !== version) throw await conflictAt(desk, path, version, edits);
  const before = bytes.toString('utf8');
  const after = editedText(desk, path, bytes, edits);
  const examined = await examine(desk.session, path, Buffer.from(after));
  return { ...described(desk, after, examined), lines: lineChanges(before, after) };
}

/** The text of a file with edits. @throws Refused `not-editable`. */
export function editedText(desk: Desk, path: string, bytes: Buffer, edits: readonly Edit[]): string {
  const obstacle = obstacleOf(desk, path, bytes);
  if (obstacle) throw new Refused('not-editable', obstacle.reason, { obstacle });
  const edited = editText(bytes.toString('utf8'), edits);
  if (!('refused' in edited)) return edited.text;
  throw new Refused('not-editable', edited.message, { obstacle: obstacleFrom(desk, path, edited) });
}

/** A file that has another version than a page holds. */
export async function conflictAt(
  desk: Desk,
  path: string,
  version: string,
  edits: readonly Edit[],
): Promise<Refused> {
  const base = desk.versions.get(version);
  const mine = base === undefined ? undefined : editText(base, edits);
  const conflict: Conflict = {
    theirs: await propertyAnswer(desk, path).catch(() => null),
    yours: mine && 'text' in mine ? mine.text : null,
  };
  const message = `${path} changed on the disk since this page read it. Nothing was written.`;
  return new Refused('changed-meanwhile', message, { conflict });
}

export function described(
  { session }: Desk,
  text: string,
  { values, diagnostics, preview, state }: Examined,
) {
  const { vocabulary } = session.configuration();
  return {
    text,
    values,
    findings: findingsOf(diagnostics, { text, values, vocabulary }),
    preview,
    state,
  };
}

/** Why a file cannot be edited here; null when it can. */
function obstacleOf(desk: Desk, path: string, bytes: Buffer): Obstacle | null {
  if (!isUtf8(bytes))
    return obstacleAt(desk, path, 'The file is not in UTF-8. Save it as UTF-8 first.', null);
  const refusal = refusalOfText(bytes.toString('utf8'));
  return refusal ? obstacleFrom(desk, path, refusal) : null;
}

function obstacleFrom(desk: Desk, path: string, { message, line }: Refusal): Obstacle {
  return obstacleAt(desk, path, message, line);
}
