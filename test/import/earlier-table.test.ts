/** The next export of a table has another name: its rows are the properties of the earlier one. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importSource } from '../../src/import/import-source.ts';
import { createWorkspace, readTree, type Workspace } from '../compile/workspace.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { imported } from './imported.ts';

const TOWNS = ['Cork', 'Galway', 'Sligo', 'Youghal'];
const row = (n: number, id = `h-${n}`) => `${id},House ${n},${TOWNS[n]},IE,51.${n},-8.4`;
const table = (...rows: string[]) => `${['ref,name,city,country,lat,lon', ...rows].join('\n')}\n`;
const DAY_1 = table(row(0), row(1), row(2));
/** A house is gone, one is new, and one has another title. */
const DAY_2 = table(row(0), row(1).replace('House', 'Villa'), row(3));

const files = ({ content }: Workspace) =>
  [...readTree(content).keys()].filter((path) => path.endsWith('.yaml'));

async function afterDayOne(text = DAY_1) {
  const workspace = createWorkspace();
  await imported(workspace, 'houses.csv', text);
  return workspace;
}

describe('an export with another name', () => {
  it('is recognised by its rows, asked for, and imported with the mapping of the earlier one', async () => {
    const workspace = await afterDayOne();
    const questions: string[] = [];
    const confirm = async (question: string) => questions.push(question) > 0;
    const text = table(row(0), row(1), row(3));
    const { result, mapping } = await imported(workspace, 'houses-2025-11-29.csv', text, { confirm });
    expect(questions).toEqual([
      '2 of 3 rows look like properties that you have already (same title and city), imported from houses.csv. Is this its next export?',
    ]);
    expect(mapping).toBe(join(workspace.root, 'houses.mapping.yaml'));
    expect(result).toMatchObject({ written: 1, present: 2 });
    expect(result!.gone.files).toEqual(['properties/ie/house-2.yaml']);
    expect(existsSync(join(workspace.root, 'houses-2025-11-29.mapping.yaml'))).toBe(false);
  });

  it('has its mapping in the folder of the catalogue, or where there is one already', async () => {
    const { root, content } = createWorkspace();
    mkdirSync(content, { recursive: true });
    const folders = [temporaryFolder(), join(root, 'tables')];
    mkdirSync(join(root, 'tables'));
    const paths = await Promise.all(
      folders.map(async (folder, n) => {
        writeFileSync(join(folder, `h${n}.csv`), DAY_1);
        const options = { content, force: false, photos: false };
        const { proposed } = await importSource(join(folder, `h${n}.csv`), options);
        return proposed?.path;
      }),
    );
    expect(paths).toEqual([join(root, 'h0.mapping.yaml'), join(root, 'tables/h1.mapping.yaml')]);
    renameSync(paths[0]!, join(folders[0]!, 'h0.mapping.yaml'));
    const { mapping } = await importSource(join(folders[0]!, 'h0.csv'), {
      content,
      force: false,
      photos: false,
    });
    expect(mapping).toBe(join(folders[0]!, 'h0.mapping.yaml'));
  });

  it('keeps its ids where the earlier mapping is gone', async () => {
    const workspace = await afterDayOne();
    const elsewhere = { ...workspace, root: join(workspace.root, 'content') };
    const mapping = readFileSync(join(workspace.root, 'houses.mapping.yaml'), 'utf8');
    rmSync(join(workspace.root, 'houses.mapping.yaml'));
    const confirm = async (question: string) => question.includes('next export');
    const { result } = await imported(elsewhere, 'h2.csv', DAY_1, { confirm });
    expect(result).toMatchObject({ written: 0, present: 3 });
    expect(readFileSync(join(workspace.root, 'houses.mapping.yaml'), 'utf8')).toBe(mapping);
  });

  it('stops without a terminal, and says which mapping to give; of other properties, it has its own', async () => {
    const workspace = await afterDayOne();
    const before = files(workspace);
    const again = imported(workspace, 'h2.csv', DAY_1, { ask: undefined as never });
    await expect(again).rejects.toMatchObject({
      code: 'next-export',
      message: expect.stringContaining(`--mapping ${join(workspace.root, 'houses.mapping.yaml')}`),
    });
    expect(files(workspace)).toEqual(before);
    expect(existsSync(join(workspace.root, 'h2.mapping.yaml'))).toBe(false);
    const other = await imported(workspace, 'h2.csv', DAY_1, { confirm: async () => false });
    expect(other.result).toMatchObject({ written: 3 });
  });

  it('has the files of the earlier one, whose rows are gone', async () => {
    const workspace = await afterDayOne();
    const mapping = join(workspace.root, 'houses.mapping.yaml');
    const options = { mapping, gone: 'remove', allowShrink: true } as const;
    const { result } = await imported(workspace, 'houses-2.csv', DAY_2, options);
    expect(result!.gone.removed).toEqual(['properties/ie/house-2.yaml']);
    const third = await imported(workspace, 'houses-3.csv', table(row(0)), options);
    expect(third.result!.gone.removed).toHaveLength(2);
    expect(readFileSync(join(workspace.content, '.imported.json'), 'utf8')).not.toContain('houses-');
  });

  it('has them too where its rows have UUIDs, or the mapping is the owner’s own', async () => {
    const uuid = (n: number) => `5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c1${n}`;
    const workspace = await afterDayOne(table(row(0, uuid(0)), row(1, uuid(1)), row(2, uuid(2))));
    const mapping = join(workspace.root, 'houses.mapping.yaml');
    const less = table(row(0, uuid(0)), row(1, uuid(1)));
    const { result } = await imported(workspace, 'houses-2.csv', less, { mapping });
    expect(result!.gone.files).toEqual(['properties/ie/house-2.yaml']);

    const own = createWorkspace();
    const text = readFileSync(mapping, 'utf8').replace(/^id: .*$/m, `id: { from: ref, uuid: ${uuid(9)} }`);
    writeFileSync(join(own.root, 'mine.yaml'), text);
    const options = { mapping: join(own.root, 'mine.yaml') };
    await imported(own, 'a.csv', DAY_1, options);
    const { result: second } = await imported(own, 'b.csv', table(row(0), row(1)), options);
    expect(second!.gone.files).toEqual(['properties/ie/house-2.yaml']);
  });

  it('is not asked about where few rows are known', async () => {
    const workspace = await afterDayOne();
    const others = table(row(0), ...[4, 5, 6].map((n) => `g-${n},Flat ${n},Bath,GB,51.3${n},-2.4`));
    const { result } = await imported(workspace, 'flats.csv', others);
    expect(result).toMatchObject({ written: 4 });
  });
});
