/** Writes the file of one property and its photos, and keeps what its owner edited. */
import { join } from 'node:path';
import type { Terms } from '../../contract/terms.ts';
import { type PropertyValues, propertyYaml } from '../../editing/property-text.ts';
import { guessId } from '../../source/property-file.ts';
import { readYamlQuickly } from '../../source/simple-yaml.ts';
import { readYamlExactly } from '../../source/yaml-document.ts';
import { toPropertyFile } from '../candidate/candidate.ts';
import { errorFinding, type ImportFinding, warningFinding } from '../finding.ts';
import {
  changesBetween,
  conflictFinding,
  type FieldChange,
  fieldDigests,
  type KeptValues,
  mergedFileFinding,
  mergedText,
  withOwnValues,
} from './field-merge.ts';
import { type FileState, type Ledger, propertyTextAt } from './ledger.ts';
import type { ReceivedPhotos } from './photos.ts';

type Writer = {
  readonly content: string;
  readonly ledger: Ledger;
  readonly terms: Terms;
  readonly options: { readonly force: boolean; readonly source?: string | undefined };
};

type PropertyWrite = {
  readonly path: string;
  readonly planned: ReceivedPhotos;
  /** YAML of the imported property, made in advance; undefined if the property's list of photos has changed since. */
  readonly prepared: string | undefined;
  readonly findings: readonly ImportFinding[];
  /** Whether there is surely no file at the path. */
  readonly isNew: boolean;
};

/**
 * `own`: text of the existing file; empty if there is no file, or if the file already has the source's values. `yaml`:
 * text that the import would write. `state`: the state of the file, compared with `yaml`. `kept`: values that the file
 * keeps because the import left out the source's values.
 */
type Decision = {
  readonly own: string;
  readonly yaml: string;
  readonly state: FileState;
  readonly kept: KeptValues;
} & (
  | { readonly act: 'keep' }
  | { readonly act: 'confirm' }
  | { readonly act: 'replace' }
  | { readonly act: 'merge'; readonly merged: ReturnType<typeof mergedText> & { readonly text: string } }
  | { readonly act: 'report'; readonly finding: ImportFinding }
  | { readonly act: 'conflict'; readonly why: 'edited' | 'foreign'; readonly both: readonly FieldChange[] }
);

type Done = {
  readonly kind: 'written' | 'replaced' | 'present' | 'conflict' | 'refused';
  readonly findings: readonly ImportFinding[];
  /** Text of the file afterwards. @default unchanged */
  readonly text?: string;
};

/**
 * `isKnownPublic`: true if the file is surely not a draft. False also for a file that was not read, because it had the
 * source's values already.
 * @throws EEXIST if another program has just created the file or one of its photos
 */
export function writeProperty(write: PropertyWrite, writer: Writer) {
  const decision = decide(write, writer);
  const { own, kept } = decision;
  const { kind, findings, text = own } = act(decision, write, writer);
  const isKnownPublic = text !== '' && !/^draft:\s*["']?(?:true|yes|y|on|1)\b/im.test(text);
  return { kind, findings, changes: own === '' ? [] : changesBetween(own, text), kept, isKnownPublic };
}

function decide(
  { path, planned, prepared, findings, isNew }: PropertyWrite,
  { content, ledger, options, terms }: Writer,
): Decision {
  const imported = toPropertyFile(planned.property);
  const yamlOf = (file: PropertyValues) => propertyYaml(file, {}, terms.fields);
  const importedYaml = prepared ?? yamlOf(imported);
  if (!isNew) ledger.follow(path, importedYaml);
  const stateOf = (yaml: string) => (isNew ? 'absent' : ledger.stateOf(path, Buffer.from(yaml)));
  const before = stateOf(importedYaml);
  const own = before === 'absent' || before === 'same' ? '' : propertyTextAt(join(content, path));
  const { file, kept } = withOwnValues(own, imported, findings, terms);
  const yaml = file === imported ? importedYaml : yamlOf(file);
  const state = file === imported ? before : stateOf(yaml);
  const decided = { own, yaml, state, kept };
  if (options.force && state !== 'same' && state !== 'absent') return { ...decided, act: 'replace' };
  const isEmptied = own === '' && (state === 'kept' || state === 'edited');
  const unreadable = own !== '' || isEmptied ? unreadableFileFinding(path, own) : undefined;
  if (unreadable) return { ...decided, act: 'report', finding: unreadable };
  if (state === 'kept' || before === 'kept') return { ...decided, act: 'keep' };
  if (state === 'same') return { ...decided, act: 'confirm' };
  if (state !== 'edited' && state !== 'foreign') return { ...decided, act: 'replace' };
  const merged = mergedText(own, yaml, ledger.fieldsOf(path), terms.fields);
  const { text, both } = merged;
  if (state === 'foreign' || text === undefined) return { ...decided, act: 'conflict', why: state, both };
  return { ...decided, act: 'merge', merged: { ...merged, text } };
}

function act(
  decision: Decision,
  { path, planned: { writes, findings } }: PropertyWrite,
  { ledger, options }: Writer,
): Done {
  const { own, yaml, state } = decision;
  if (decision.act === 'keep') return { kind: 'present', findings: [] };
  if (decision.act === 'report') return { kind: 'conflict', findings: [decision.finding] };
  if (decision.act === 'conflict')
    return { kind: 'conflict', findings: [conflictFinding(path, decision.why, decision.both)] };
  const outside = writes.flatMap((photo) =>
    ledger.isInside(photo.path) ? [] : [outsideContentFinding(photo.path)],
  );
  if (outside.length > 0) return { kind: 'refused', findings: outside };
  // Photos come first: a property file must never name a photo that does not exist yet.
  for (const photo of writes) ledger.write(photo.path, photo.bytes, photo.state, { from: photo.address });
  const bytes = Buffer.from(yaml);
  const origin = { source: options.source, fields: () => fieldDigests(yaml) };
  if (decision.act === 'replace') {
    ledger.write(path, bytes, state, origin);
    if (state !== 'absent') return { kind: 'replaced', findings, text: yaml };
    const deleted = ledger.wasDeleted(path, yaml) ? [deletedFinding(path)] : [];
    return { kind: 'written', findings: [...findings, ...deleted], text: yaml };
  }
  if (decision.act === 'confirm') {
    ledger.remember(path, bytes, origin);
    return { kind: writes.length > 0 ? 'replaced' : 'present', findings };
  }
  const { text, fields, removed, both, digests } = decision.merged;
  if (text !== own) ledger.write(path, Buffer.from(text), state, origin);
  if (both.length > 0) {
    // Records a digest that no version of the file has, so that the next import merges again.
    ledger.remember(path, Buffer.from(digests), { ...origin, fields: () => digests });
    const conflict = conflictFinding(path, 'edited', both, fields, removed);
    return { kind: 'conflict', findings: [...findings, conflict], text };
  }
  // Records the source's version, not the merged one: the next import compares with the source.
  ledger.remember(path, bytes, origin);
  const kind = text === own && writes.length === 0 ? 'present' : 'replaced';
  return { kind, findings: [...findings, mergedFileFinding(path, fields, removed)], text };
}

function unreadableFileFinding(path: string, text: string): ImportFinding | undefined {
  const hasId = guessId(text) !== undefined;
  if (hasId && readYamlQuickly(text) !== undefined) return undefined;
  const [fault] = readYamlExactly(text, path).diagnostics;
  if (hasId && !fault) return undefined;
  const why = fault
    ? `${fault.span ? `line ${fault.span.line}: ` : ''}${fault.message}`
    : 'it has no readable id.';
  const message = `${path} cannot be read, so nothing is written for this row: ${why}`;
  return errorFinding('unreadable-file', message, CORRECT_FILE);
}

const CORRECT_FILE = 'Correct the file, and import again. --force replaces the whole file.';

function deletedFinding(path: string): ImportFinding {
  const message = `${path} was deleted since the last import, and is written again: the source still has it.`;
  return warningFinding('deleted-file', message, TO_KEEP_OUT);
}

const TO_KEEP_OUT =
  'To keep it out, remove its row from the source. To hide it from guests, write "draft: true" in the file: imports keep that.';

export function outsideContentFinding(path: string): ImportFinding {
  const message = `${path} would be written outside the content folder: a folder on the way is a symbolic link.`;
  return errorFinding('outside-content', message, 'Put a folder in the place of the link.');
}
