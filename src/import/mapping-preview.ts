import type { Readable, Writable } from 'node:stream';
import { note } from '@clack/prompts';
import { printable } from '../text/printable.ts';
import { cut } from '../text/words.ts';
import { columnsOf, type EntryMapping, type ValueMapping } from './mapping.ts';
import { describe, looksLike, unusedColumns } from './mapping-text.ts';
import type { Profile } from './profile.ts';
import type { Proposal } from './propose.ts';

export type Streams = { readonly input?: Readable; readonly output?: Writable };

const NAME_WIDTH = 15;
const COLUMN_WIDTH = 24;
const screenWidth = () => process.stdout.columns ?? 80;

export function showMapping(mapping: Proposal, profile: Profile, streams: Streams): void {
  const byName = new Map(profile.columns.map((column) => [column.name, column]));
  const samplesOf = (one: ValueMapping | EntryMapping) =>
    columnsOf({ part: [one] })
      .flatMap((column) => byName.get(column) ?? [])
      .map(looksLike)
      .filter((samples) => samples !== '')
      .join(' and ');
  const lines = Object.entries(mapping).flatMap(([field, value]) =>
    [value].flat().map((one, index) => line(index === 0 ? field : '', describe(one), samplesOf(one))),
  );
  note(lines.join('\n'), 'Fields, their columns, and the first values', streams);
  const photos = columnsOf({ photo: mapping.photo }).flatMap((column) => byName.get(column) ?? []);
  const links = photos.flatMap(({ samples }) => samples).filter((text) => /https?:/i.test(text));
  if (links.some((text) => /http:/i.test(text))) note(HTTP_PHOTOS, 'Photos', streams);
  else if (links.length > 0) note(LINKED_PHOTOS, 'Photos', streams);
  const unused = unusedColumns(profile, mapping).filter(({ secret }) => secret === undefined);
  if (unused.length === 0) return;
  note(
    unused.map((column) => line(column.name, '', looksLike(column))).join('\n'),
    'Columns not used',
    streams,
  );
}

const LINKED_PHOTOS = 'Photos are links here. Import with --photos to have the photos themselves.';
const HTTP_PHOTOS =
  'Links of photos that begin with "http:" are left out. Import with --photos to have the photos themselves.';

function line(name: string, column: string, samples: string): string {
  const width = Math.max(40, screenWidth() - 8);
  const nameWidth = screenWidth() < 110 ? NAME_WIDTH : 2 * NAME_WIDTH;
  const padding = column === '' ? 0 : COLUMN_WIDTH;
  const left = `${cut(name, nameWidth).padEnd(nameWidth)} ${cut(column, 2 * COLUMN_WIDTH).padEnd(padding)}`;
  return cut(printable(`${left} ${samples}`), width).trimEnd();
}

export function showSecrets({ columns }: Profile, streams: Streams): void {
  const secrets = columns.filter(({ secret }) => secret !== undefined);
  if (secrets.length === 0) return;
  const lines = secrets.map(({ name, secret }) => `${printable(name)}: ${secret}`);
  note(lines.join('\n'), 'Left out: these look private, and a catalogue is public', streams);
}
