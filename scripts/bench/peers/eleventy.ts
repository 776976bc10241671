/** Eleventy: its data file does what it has no notion of, and its pagination writes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Peer } from './peer.ts';

const DATA = `const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { load, FAILSAFE_SCHEMA } = require('js-yaml');

module.exports = () => {
  const folder = join(process.cwd(), '../content/properties');
  const properties = readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('.yaml'))
    .map((path) => load(readFileSync(join(folder, path), 'utf8'), { schema: FAILSAFE_SCHEMA }))
    .map((property) => ({ property, key: [property.country, property.city, property.title, property.id].join('\\0') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ property }) => property);
  const files = [];
  const scopes = new Map();
  for (const { id, ...detail } of properties) {
    files.push({ key: 'properties/' + id + '.json', text: JSON.stringify(detail) });
    const { title, city, country } = detail;
    const summary = JSON.stringify({ id, title, city, country, thumbnail: null });
    const hex = Buffer.from(city).toString('hex');
    for (const scope of ['-/-', country + '/-', '-/' + hex, country + '/' + hex]) {
      if (!scopes.has(scope)) scopes.set(scope, []);
      scopes.get(scope).push(summary);
    }
  }
  for (const [scope, entries] of scopes) {
    for (let size = 1; size <= 100; size++) {
      for (let page = 1; (page - 1) * size < entries.length; page++) {
        const meta = { pagination: { current_page: page, per_page: size, total_entries: entries.length } };
        const data = entries.slice((page - 1) * size, page * size).join(',');
        files.push({
          key: 'pages/' + scope + '/' + size + '-' + page + '.json',
          text: '{"data":[' + data + '],"meta":' + JSON.stringify(meta) + '}',
        });
      }
    }
  }
  return files;
};
`;

const TEMPLATE = `module.exports = {
  data: () => ({
    pagination: { data: 'files', size: 1, alias: 'file' },
    permalink: ({ file }) => file.key,
  }),
  render: ({ file }) => file.text,
};
`;

/** Eleventy with js-yaml. */
export const eleventy: Peer = {
  name: 'Eleventy',
  packages: ['@11ty/eleventy@3.1.7', 'js-yaml@4.3'],
  against: 'build',
  cannot:
    'only writes: the data file reads, sorts and cuts pages; no validation; every build writes everything',
  prepare(folder) {
    mkdirSync(join(folder, 'site/_data'), { recursive: true });
    writeFileSync(join(folder, 'site/_data/files.cjs'), DATA);
    writeFileSync(join(folder, 'site/files.11ty.cjs'), TEMPLATE);
  },
  command: (folder) => ({
    file: join(folder, '../node_modules/.bin/eleventy'),
    args: ['--input=site', '--output=public', '--quiet'],
    cwd: folder,
    env: { NODE_OPTIONS: '--max-old-space-size=8192' },
  }),
  makes: ['public'],
  output: 'public',
};
