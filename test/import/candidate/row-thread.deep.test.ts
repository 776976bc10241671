/** A large table is mapped and checked in a second thread, which only the compiled program has. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LEDGER_FILE } from '../../../src/import/files/ledger.ts';
import { importSource } from '../../../src/import/import-source.ts';
import { createWorkspace, readTree } from '../../compile/workspace.ts';
import { CLI, runCli } from '../../support/run-cli.ts';

const MAPPING = `id: { from: ref, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }
title: name
currency: { value: EUR }
city: town
country: { from: country, missing: skip }
latitude: lat
longitude: lon
facilities: { from: amenities, split: ";" }
photo:
  - { url: photo }
`;

function table(): string {
  const rows = Array.from({ length: 3_200 }, (_, n) => {
    const country = n % 50 === 0 ? '' : n % 70 === 0 ? 'Atlantis' : 'Ireland';
    const lat = n % 90 === 0 ? 'x' : `51.${1000 + n}`;
    const name = n % 110 === 0 ? 'The door code is 4711' : `House ${n % 3_150}`;
    const photo = n % 30 === 0 ? 'http://a.example/1.jpg' : `https://a.example/${n}.jpg`;
    return `r${n % 3_190},${name},Cork,${country},${lat},-8.47,WLAN;${n % 40 === 0 ? 'Moat' : 'TV'},${photo}`;
  });
  return ['ref,name,town,country,lat,lon,amenities,photo', ...rows, 'Total,,,,4000,,,'].join('\n');
}

it('knows the paths of GeoJSON', () => {
  const workspace = createWorkspace();
  const features = Array.from({ length: 3_000 }, (_, n) => ({
    type: 'Feature',
    id: n,
    geometry: { type: 'Point', coordinates: [-8.47, 51.9] },
    properties: { name: `House ${n}`, town: 'Cork', country: 'IE' },
  }));
  writeFileSync(join(workspace.root, 't.geojson'), JSON.stringify({ type: 'FeatureCollection', features }));
  const mapping = MAPPING.slice(0, MAPPING.indexOf('facilities'))
    .replace('from: ref', 'from: _key')
    .replace('name', 'properties.name')
    .replace('town', 'properties.town')
    .replace(/country: .*/, 'country: properties.country')
    .replace('latitude: lat', 'latitude: geometry.coordinates.1')
    .replace('longitude: lon', 'longitude: geometry.coordinates.0');
  writeFileSync(join(workspace.root, 'm.yaml'), mapping);
  const { stdout } = runCli(workspace, ['import', 't.geojson', '--mapping', 'm.yaml', '--format', 'json']);
  expect(JSON.parse(stdout)).toMatchObject({ written: 3_000, refused: 0 });
});

it('writes and reports the same as one thread does', async () => {
  const [one, two] = [createWorkspace(), createWorkspace()];
  for (const { root } of [one, two]) {
    writeFileSync(join(root, 't.csv'), table());
    writeFileSync(join(root, 'm.yaml'), MAPPING);
  }
  const options = { content: one.content, force: false, photos: false, mapping: join(one.root, 'm.yaml') };
  const { result, notes } = await importSource(join(one.root, 't.csv'), options);
  const args = ['import', 't.csv', '--mapping', 'm.yaml', '--format', 'json'];
  const reported = JSON.parse(runCli(two, args).stdout);
  const { written, refused, causes, repairs } = result!;
  expect(reported).toMatchObject({ written, refused, causes, repairs });
  expect(refused).toBeGreaterThan(50);
  expect(reported.notes).toEqual(JSON.parse(JSON.stringify(notes)));
  expect(readTree(two.content)).toEqual(readTree(one.content));
  const again = JSON.parse(runCli(two, args).stdout);
  expect(again).toMatchObject({ written: 0, present: written, refused });
  // The same ledger as an editor formats it.
  const ledger = join(two.content, LEDGER_FILE);
  writeFileSync(ledger, JSON.stringify(JSON.parse(readFileSync(ledger, 'utf8')), undefined, 4));
  expect(JSON.parse(runCli(two, args).stdout)).toMatchObject({ written: 0, present: written, refused });
});

it('reports all findings of a large table in little memory', () => {
  const { root } = createWorkspace();
  const rows = Array.from(
    { length: 40_000 },
    (_, n) => `r${n},House ${n},,Atlantis ${n},north ${n},east ${n},,`,
  );
  writeFileSync(join(root, 't.csv'), ['ref,name,town,country,lat,lon,amenities,photo', ...rows].join('\n'));
  writeFileSync(join(root, 'm.yaml'), MAPPING);
  const { status } = spawnSync(
    process.execPath,
    [CLI, 'import', 't.csv', '--mapping', 'm.yaml', '--format', 'json'],
    { cwd: root, stdio: 'ignore', env: { ...process.env, NODE_OPTIONS: '--max-old-space-size=90' } },
  );
  expect(status).toBe(1);
});
