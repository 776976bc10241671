/** The facets of a release: what they hold, which of them change with a property, and their size. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeCatalogue } from '../../scripts/make-catalogue.ts';
import { build } from '../../src/compile/build.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { createWorkspace, idOf } from './workspace.ts';

const SETTINGS = 'layout: packed\ntargets: []\ndocs: false\nexplorer: { enabled: false }\nbulk: false\n';
const FIELDS = `fields:
  bedrooms: { filter: true }
  beds: {}
  property_type: {}
  price_from: { filter: true }
  pets: { type: boolean, filter: true }
  views: { type: choice, list: true, choices: [sea, lake], filter: true }
  opened: { type: date, filter: true }
`;

const facetsIn = (root: string) => readdirSync(join(root, '_catalogue/facets'));

describe('a build', () => {
  it('writes what a search filters by, for each property in the order of the list', async () => {
    const workspace = createWorkspace();
    workspace.configure(SETTINGS + FIELDS);
    workspace.add(1, { title: 'B', facilities: ['wifi', 'boat_shed'], bedrooms: '3', beds: '4' });
    workspace.add(2, {
      ...{ title: 'A', facilities: ['boat_shed'], property_type: 'cottage', price_from: '95.10' },
      ...{ pets: 'true', views: ['lake', 'sea'], opened: '2020-05-01', latitude: '53.2719449999' },
    });
    await workspace.build();
    const read = () => workspace.json(`_catalogue/facets/${facetsIn(workspace.public)[0]!}`);
    const facets = {
      first: idOf(2),
      facilities: { boat_shed: '3', wifi: '2' },
      latitude: [53.2719449999, 53.27194],
      longitude: [-9.04889, -9.04889],
      fields: {
        bedrooms: [null, 3],
        property_type: ['cottage', null],
        price_from: [95.1, null],
        pets: [true, null],
        views: [['lake', 'sea'], []],
        opened: ['2020-05-01', null],
      },
    };
    expect(read()).toEqual(facets);
    workspace.configure(SETTINGS + FIELDS.replace('beds: {}', 'beds: { filter: true }'));
    await workspace.build();
    expect(facetsIn(workspace.public)).toHaveLength(1);
    const { bedrooms, ...others } = facets.fields;
    expect(read()).toEqual({ ...facets, fields: { bedrooms, beds: [null, 4], ...others } });
  });

  it('changes the facets of one chunk for a property; they take 21 bytes a property', async () => {
    const folder = temporaryFolder();
    const [content, out] = [join(folder, 'content'), join(folder, 'dist')];
    const count = 3000;
    makeCatalogue({ folder: content, count, withFields: true });

    const settings = readFileSync(join(content, 'catalogue.yaml'), 'utf8');
    const filters = settings.replace(
      /^ {2}(bedrooms|max_guests|bathrooms): \{\}$/gm,
      '  $1: { filter: true }',
    );
    writeFileSync(join(content, 'catalogue.yaml'), `${filters}\n${SETTINGS}`);
    await build({ content, out, jobs: 1 });
    const root = join(out, 'public');
    const before = facetsIn(root);
    expect(before.length).toBeGreaterThan(2);
    const texts = before.map((name) => readFileSync(join(root, '_catalogue/facets', name)));
    const bytes = texts.reduce((sum, text) => sum + gzipSync(text, { level: 6 }).length, 0);
    expect(bytes / count).toBeLessThan(21);

    const [name] = readdirSync(join(content, 'properties'), { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.yaml'),
    );
    const file = join(content, 'properties', name!);
    const change = async (from: RegExp, to: string) => {
      const text = readFileSync(file, 'utf8');
      expect(text).toMatch(from);
      writeFileSync(file, text.replace(from, to));
      await build({ content, out, jobs: 1 });
      const after = facetsIn(root);
      return after.filter((one) => !before.includes(one)).length;
    };
    expect(await change(/^bedrooms: .*$/m, 'bedrooms: 17')).toBe(1);
    before.splice(0, before.length, ...facetsIn(root));
    expect(await change(/^title: (.*)$/m, 'title: "Zz house"')).toBeLessThanOrEqual(1);
  });
});
