/**
 * Imports a channel manager's table, alternating with a loop around csv-parse and js-yaml that writes as many files.
 */
import { createReadStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse';
import { dump } from 'js-yaml';
import { isMain } from '../command-line.ts';
import { count } from '../table.ts';
import { CHANNEL_MAPPING, CHANNEL_SETTINGS, writeChannelTable } from './channel-table.ts';
import { type Bench, catalogue, clear } from './place.ts';
import { type Command, run } from './process.ts';
import { inTurn, type Limit, type Row } from './row.ts';

const ROWS = 100_000;
/** For {@link ROWS} on two idle cores. */
const LIMIT: Limit = { seconds: 20, megabytes: 300 };

export async function imports(bench: Bench): Promise<Row[]> {
  const { folder, rounds, isQuick, before, properties } = bench;
  const number = properties ?? (isQuick ? ROWS / 10 : ROWS);
  writeChannelTable(join(folder, 'table.csv'), number);
  writeFileSync(join(folder, 'mapping.yaml'), CHANNEL_MAPPING);
  const imported = (cli: string): Command => ({
    ...catalogue({ folder, cli }, 'import', 'table.csv', '--mapping', 'mapping.yaml'),
    codes: [1],
  });
  const anew = (command: Command) => async () => {
    await clear(bench, 'content');
    mkdirSync(join(folder, 'content'));
    writeFileSync(join(folder, 'content/catalogue.yaml'), CHANNEL_SETTINGS);
    return run({ ...command, cwd: folder });
  };
  const loop = [fileURLToPath(import.meta.url), 'table.csv', 'content'];
  const peer = { file: process.execPath, args: ['--import', import.meta.resolve('tsx'), ...loop] };
  const works = [anew(imported(bench.cli)), anew(peer)];
  if (before !== undefined) works.push(anew(imported(before)));
  const [ours = [], taken = [], earlier] = await inTurn(rounds, works);
  await anew(imported(bench.cli))();
  const again = [await run(imported(bench.cli))];
  await clear(bench, 'content', 'table.csv', 'mapping.yaml');
  const name = `Import ${count(number)} rows of 28 columns`;
  const limit = number === ROWS ? { limit: LIMIT } : {};
  return [
    { name, ours, peer: { name: 'csv-parse, js-yaml', taken }, ...limit },
    ...(earlier ? [{ name, ours, peer: { name: 'before', taken: earlier } }] : []),
    { name: `${name}: nothing changed`, ours: again },
  ];
}

/** One file per row, without validation. */
async function writeRows(table: string, out: string): Promise<void> {
  let place = 0;
  const rows = createReadStream(table).pipe(parse({ columns: true, delimiter: ';' }));
  for await (const row of rows) writeFileSync(join(out, `${place++}.yaml`), dump(row, { lineWidth: -1 }));
}

if (isMain(import.meta.url)) {
  const [table = '', out = ''] = process.argv.slice(2);
  await writeRows(table, out);
}
