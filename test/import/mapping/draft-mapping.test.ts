/** What a table says is not offered becomes a draft. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkspace, type Workspace } from '../../compile/workspace.ts';
import { imported } from '../imported.ts';

const header = (more: string) => `ref,name,city,country,lat,lon,${more}`;
const row = (n: number, more: string) => `h-${n},House ${n},Cork,IE,51.${n},-8.4,${more}`;
const table = (more: string, ...values: string[]) =>
  `${[header(more), ...values.map((value, index) => row(index + 1, value))].join('\n')}\n`;
const isDraft = ({ content }: Workspace, n: number) =>
  readFileSync(join(content, `properties/ie/house-${n}.yaml`), 'utf8').includes('draft: true');

describe('a column of states', () => {
  it.each([
    ['Status', ['active', 'Sold', 'archived', 'inactive'], [2, 3, 4]],
    ['status', ['live', 'live', 'on request', 'live'], [3]],
    ['Aktiv', ['ja', 'nein', 'ja', 'Nein'], [2, 4]],
    ['Statut', ['publié', 'vendu', 'brouillon', 'en ligne'], [2, 3]],
    ['Estado anuncio', ['publicado', 'vendido', 'borrador', 'activo'], [2, 3]],
    ['Online', ['1', '0', '1', '1'], [2]],
    ['Archived', ['no', 'yes', 'no', 'no'], [2]],
    ['stato annuncio', ['attivo', 'venduto', 'sospeso', 'attivo'], [2, 3]],
    ['Status,Draft', ['active,no', 'sold,no', 'active,yes', ','], [2, 3]],
  ] as const)('%s makes drafts of what is not offered', async (name, values, drafts) => {
    const workspace = createWorkspace();
    const { result } = await imported(workspace, 'houses.csv', table(name, ...values));
    expect(result).toMatchObject({ written: 4, drafts: drafts.length });
    const found = [1, 2, 3, 4].filter((n) => isDraft(workspace, n));
    expect(found).toEqual(drafts);
  });

  it('which speaks of something else is not one', async () => {
    const { unused } = await imported(
      createWorkspace(),
      'houses.csv',
      table('Status', 'gold', 'silver', 'gold'),
    );
    expect(unused.map(({ name }) => name)).toContain('Status');
  });

  it('hides what a later word stands for, says so, and follows the source', async () => {
    const workspace = createWorkspace();
    await imported(workspace, 'houses.csv', table('Status', 'active', 'sold'));
    const { result } = await imported(
      workspace,
      'houses.csv',
      table('Status', 'sold', 'active', 'unheard of', 'n/a'),
    );
    expect(result).toMatchObject({ written: 2, replaced: 2, refused: 0 });
    expect([1, 2, 3, 4].filter((n) => isDraft(workspace, n))).toEqual([1, 3]);
    const [cause] = result!.causes.filter(({ code }) => code === 'unknown-status');
    expect(cause).toMatchObject({ count: 1, examples: [{ at: 'line 4' }] });
    expect(cause!.examples[0]!.message).toContain('"unheard of"');
  });
});

describe('a draft without coordinates', () => {
  const plain = 'ref,name,city,country';
  it('is live once the source has them; other drafts of an owner stay drafts', async () => {
    const workspace = createWorkspace();
    const path = `${plain},lat,lon\n`;
    await imported(
      workspace,
      'a.csv',
      `${path}h-1,House 1,Cork,IE,,\nh-2,House 2,Cork,IE,51.2,-8.4\nh-4,House 4,Cork,IE,51.4,-8.4\nh-3,House 3,Cork,IE,n/a,here\n`,
    );
    expect([1, 2, 3].filter((n) => isDraft(workspace, n))).toEqual([1, 3]);
    const { result } = await imported(
      workspace,
      'a.csv',
      `${path}h-1,House 1,Cork,IE,51.1,-8.4\nh-2,House 2,Cork,IE,51.2,-8.4\nh-3,House 3,Cork,IE,,\n`,
    );
    expect(result).toMatchObject({ replaced: 1, present: 2 });
    expect([1, 2, 3].filter((n) => isDraft(workspace, n))).toEqual([3]);
  });

  it('is no longer reported once its owner has completed it', async () => {
    const workspace = createWorkspace();
    const text = `${plain},lat,lon\nh-1,House 1,Cork,IE,,\nh-2,House 2,Cork,IE,51.2,-8.4\n`;
    expect((await imported(workspace, 'a.csv', text)).result).toMatchObject({ written: 2, drafts: 1 });
    const file = join(workspace.content, 'properties/ie/house-1.yaml');
    const place = (own: string) => own.replace('draft: true\n', 'latitude: 51.1\nlongitude: -8.4\n');
    writeFileSync(file, place(readFileSync(file, 'utf8')));
    for (const next of [text, text.replace('House 1,Cork', 'House 1,Cobh')]) {
      const { result } = await imported(workspace, 'a.csv', next);
      expect(result).toMatchObject({ drafts: 0, conflict: 0 });
      expect(result!.causes.map(({ code }) => code)).not.toContain('unfinished-draft');
    }
    expect(isDraft(workspace, 1)).toBe(false);
  });
});
