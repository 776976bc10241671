/** Recognises a later export of an imported table, whose file name may differ: many programs put the date into it. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Terms } from '../contract/terms.ts';
import { foldToLetters } from '../contract/unicode.ts';
import { UsageError } from '../errors/errors.ts';
import { uuidFromName } from '../release/uuid-v5.ts';
import { isInside } from '../source/content-path.ts';
import { countText, formatNumber } from '../text/amounts.ts';
import { sortedByCount } from '../values/sort-by-count.ts';
import { rowMapper } from './candidate/row-property.ts';
import { type Ledger, valuesIn } from './files/ledger.ts';
import { ID_NAMESPACE } from './mapping/id-mapping.ts';
import { conversionOf, type Proposal, type TableMapping } from './mapping/mapping.ts';
import type { Profile } from './table/profile.ts';
import type { RowSource } from './table/row-source.ts';
import { isUrl } from './table/source-bytes.ts';

/** Returns the name that the ledger recorded for a table at its first import; for a new table, the name to record. */
export function ledgerNameOf(
  ledger: Pick<Ledger, 'filesBySource'>,
  name: string,
  path: string,
  { id }: Proposal,
): string {
  const { uuid } = conversionOf(id);
  const recorded = [...ledger.filesBySource().keys()];
  if (uuid === undefined) return recorded.find((one) => mappingFile(one) === mappingFile(path)) ?? name;
  const made = [...recorded, name].find((one) => one === uuid || uuidFromName(one, ID_NAMESPACE) === uuid);
  return made ?? (recorded.includes(name) ? name : uuid);
}

async function earlierSource({ table, profile, ledgerName, initialMapping, ledger, terms, options }: Table) {
  const { title, city } = initialMapping;
  const [content, count, sources] = [resolve(options.content), profile.rows, ledger.filesBySource()];
  if (sources.has(ledgerName) || sources.size === 0 || title === undefined) return undefined;
  const owners = new Map<string, string>();
  for (const [source, paths] of sources)
    for (const path of paths) owners.set(identityOf(valuesIn(join(content, path))), source);
  owners.delete('');
  const found = new Map<string, number>();
  const mapRow = rowMapper({ title, city } as TableMapping, terms);
  for await (const { value } of table.rows()) {
    const owner = value && owners.get(identityOf(mapRow(value)));
    if (owner !== undefined) found.set(owner, (found.get(owner) ?? 0) + 1);
  }
  const [most] = sortedByCount(found);
  if (!most || most[1] * 2 < count) return undefined;
  const [name, alike] = most;
  const sentence = `${formatNumber(alike)} of ${countText(count, 'row')} look like properties that you have already (same title and city), imported from ${name}.`;
  return { name, sentence };
}

function identityOf({ title, city = '' }: { readonly title?: unknown; readonly city?: unknown }): string {
  return typeof title === 'string' ? `${foldToLetters(title)}|${foldToLetters(String(city))}` : '';
}

/** Returns undefined if the user cancels. @param isUsual whether Enter means yes. @default true */
export type Confirm = (question: string, isUsual?: boolean) => Promise<boolean | undefined>;

type Table = Record<'source' | 'ledgerName', string> & {
  readonly table: RowSource;
  readonly profile: Profile;
  readonly initialMapping: Proposal;
  readonly ledger: Pick<Ledger, 'filesBySource'>;
  readonly terms: Terms;
  readonly options: { readonly content: string; readonly confirm?: Confirm };
};

/**
 * Asks whether this is a later export of an imported table. Returns the name of the imported table; empty if there is
 * none or the user says no, undefined if the user cancels.
 * @throws UsageError `next-export` if it finds a table but has no `confirm` to ask
 */
export async function confirmEarlierTable(table: Table): Promise<string | undefined> {
  const { source, options } = table;
  const { confirm, content } = options;
  const found = await earlierSource(table);
  if (!found) return '';
  if (confirm) {
    const isNext = await confirm(`${found.sentence} Is this its next export?`);
    return isNext === undefined ? undefined : isNext ? found.name : '';
  }
  const path = mappingPath(found.name, source, content);
  const how = existsSync(path) ? `import it with --mapping ${path}` : `rename it to ${found.name}`;
  const message = `${found.sentence} Nothing was imported. If this is its next export, ${how}. If these are other properties, import in a terminal, or with a mapping of their own (--mapping).`;
  throw new UsageError('next-export', message);
}

/** Returns the name of a file without its folder, or a URL without its query, which may contain an API key. */
export function sourceName(source: string): string {
  if (!isUrl(source)) return basename(source);
  const { origin, pathname } = new URL(source);
  return origin + pathname;
}

function mappingFile(source: string): string {
  const name = basename(sourceName(source))
    .replace(/\.(?:gz|zst|br)$/i, '')
    .replace(/\.mapping\.yaml$|\.[^.]+$/i, '');
  return `${/\w/.test(name) ? name : 'import'}.mapping.yaml`;
}

/**
 * Returns the path of the mapping file, which is next to the table or in the catalogue's folder (the parent of
 * `content`). If there is no such file yet, returns the path for a new one. It is next to the table if the table is
 * outside `content`, and the catalogue's folder contains the table or does not exist. Otherwise, it is directly in the
 * catalogue's folder.
 * @param name the table's name at its first import; `source` may be a later export of the table
 */
export function mappingPath(name: string, source: string, content: string): string {
  const [own, beside] = [join(content, '..'), dirname(source)];
  const isFile = existsSync(source) && !isInside(resolve(content), resolve(beside));
  const isBeside = isFile && (isInside(resolve(own), resolve(beside)) || !existsSync(own));
  const folders = isBeside ? [beside, own] : [own, beside];
  const paths = folders.slice(0, isFile ? 2 : 1).map((folder) => join(folder, mappingFile(name)));
  return paths.find((path) => existsSync(path)) ?? paths[0]!;
}
