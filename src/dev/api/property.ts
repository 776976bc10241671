/** One property file as the page has it, and what edits would make of it. */
import { isUtf8 } from 'node:buffer';
import { scan } from '../../build/inputs/scan.ts';
import type { Refusal } from '../../editing/refusal.ts';
import { refusalOf, setFields } from '../../editing/set-fields.ts';
import type {
  CheckAnswer,
  Conflict,
  FieldValues,
  Obstacle,
  PropertyAnswer,
  SaveRequest,
} from '../../editor/api.ts';
import { isSourcePath } from '../../source/content-path.ts';
import type { Session } from '../session.ts';
import { type ContentFile, readContentFile } from './content-folder.ts';
import { type Desk, editorLink, obstacleAt } from './desk.ts';
import { type Examined, examine } from './examine.ts';
import { findingsOf } from './finding.ts';
import { lineChanges } from './line-changes.ts';
import { Refused } from './refused.ts';

/** The file of a property. @throws Refused `not-found` for any other path. */
export async function readProperty({ session }: Desk, path: string): Promise<ContentFile> {
  const isKnown = async () => (await session.records()).has(path) || isFound(session, path);
  if (!isSourcePath(path) || !(await isKnown())) {
    throw new Refused(
      'not-found',
      `There is no property file ${path.slice(0, 200)}. It may have been renamed.`,
    );
  }
  return readContentFile(session.content, path);
}

/** Whether a build would read a file, such as one that was made after the last build. */
function isFound({ content, configuration }: Session, path: string): boolean {
  return scan(content, configuration()).files.includes(path);
}

/** @throws Refused `not-found`. */
export async function propertyAnswer(desk: Desk, path: string): Promise<PropertyAnswer> {
  const { bytes, version } = await readProperty(desk, path);
  const { session } = desk;
  const text = bytes.toString('utf8');
  const examined = await examine(session, path, bytes);
  return {
    path,
    version,
    ...described(desk, text, examined),
    obstacle: obstacleOf(desk, path, bytes),
    link: editorLink(desk, path),
  };
}

/** Judges a file with other values. @throws Refused `changed-meanwhile`, `not-editable`, `not-found`. */
export async function checkFields(desk: Desk, { path, version, fields }: SaveRequest): Promise<CheckAnswer> {
  const { bytes, version: now } = await readProperty(desk, path);
  if (now !== version) throw await conflictAt(desk, path);
  const before = bytes.toString('utf8');
  const after = textWith(desk, path, bytes, fields);
  const examined = await examine(desk.session, path, Buffer.from(after));
  return { ...described(desk, after, examined), lines: lineChanges(before, after) };
}

/** The text of a file with other values. @throws Refused `not-editable`. */
export function textWith(desk: Desk, path: string, bytes: Buffer, fields: FieldValues): string {
  const obstacle = obstacleOf(desk, path, bytes);
  if (obstacle) throw new Refused('not-editable', obstacle.reason, { obstacle });
  const edited = setFields(bytes.toString('utf8'), fields);
  if (!('refused' in edited)) return edited.text;
  throw new Refused('not-editable', edited.message, { obstacle: obstacleFrom(desk, path, edited) });
}

/** A file that has another version than a page holds. */
export async function conflictAt(desk: Desk, path: string): Promise<Refused> {
  const conflict: Conflict = { theirs: await propertyAnswer(desk, path).catch(() => null) };
  const message = `${path} changed on the disk since this page read it. Nothing was written.`;
  return new Refused('changed-meanwhile', message, { conflict });
}

export function described({ session }: Desk, text: string, { values, diagnostics, state }: Examined) {
  const { vocabulary } = session.configuration();
  return {
    text,
    values,
    findings: findingsOf(diagnostics, { text, values, vocabulary }),
    state,
  };
}

/** Why a file cannot be edited here; null when it can. */
function obstacleOf(desk: Desk, path: string, bytes: Buffer): Obstacle | null {
  if (!isUtf8(bytes))
    return obstacleAt(desk, path, 'The file is not in UTF-8. Save it as UTF-8 first.', null);
  const refusal = refusalOf(bytes.toString('utf8'));
  return refusal ? obstacleFrom(desk, path, refusal) : null;
}

function obstacleFrom(desk: Desk, path: string, { message, line }: Refusal): Obstacle {
  return obstacleAt(desk, path, message, line);
}
