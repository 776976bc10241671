/** Tests targets on their real servers. See `USAGE`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { TARGET_NAMES } from '../src/contract/target-names.ts';
import { TARGETS } from '../src/targets/index.ts';
import { GROUPS } from '../test/conformance/case.ts';
import { checksKeys, failureText, type Outcome, runConformance } from '../test/conformance/conformance.ts';
import { runOriginFaults } from '../test/conformance/origin-faults.ts';
import { nameOf, type ServerKind } from '../test/conformance/server.ts';
import { PACKED_SERVERS, SERVERS } from '../test/conformance/servers.ts';
import { missingPrograms } from '../test/support/programs.ts';
import { isMain } from './command-line.ts';
import { count, endMark, markdownTable, replaceSection, startMark } from './table.ts';

const USAGE = `Usage: npm run conformance -- [<target>...] [--write]

Sends every case, random queries and every page to each target on its real server, and compares each answer with the
decisions. Fails when one differs. Without a name: all targets, which takes some minutes.

  --write  replaces the rows of these targets in docs/conformance.md, and the table of all targets in docs/targets.md`;

const DOCUMENT = new URL('../docs/conformance.md', import.meta.url);
const TABLE = new URL('../docs/targets.md', import.meta.url);

const NODE_ROW = [
  'Node',
  '`catalogue serve`, and any server of your own',
  '`createHandler({ root })` of this package',
  '–',
  'yes',
];

export function targetsTable(): string {
  const rows = TARGET_NAMES.map((name) => {
    const { use, runs, needs = '–' } = TARGETS[name].about;
    const kind = SERVERS.find(({ target }) => target === name)!;
    return [`\`${name}\``, use, runs, needs, checksKeys(kind) ? 'yes' : 'no'];
  });
  const head = ['Target', 'For', 'Runs', 'Needs besides the files', 'API keys'];
  return markdownTable({ head, rows: [...rows, NODE_ROW] }, { numbers: false });
}

/** Columns: target, cases, passed cases, groups that do not apply. */
export function outcomeRow({ target, groups }: Pick<Outcome, 'target' | 'groups'>): string[] {
  const sum = (of: 'passed' | 'total') => [...groups.values()].reduce((all, group) => all + group[of], 0);
  const absent = GROUPS.filter((group) => !groups.has(group));
  return [`\`${target}\``, count(sum('total')), count(sum('passed')), absent.join(', ') || '–'];
}

/** Replaces rows of the same targets. Rows are in documentation order. */
export function withRows(table: string, rows: readonly (readonly string[])[]): string {
  const known = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(' | '));
  const found = [...SERVERS, ...PACKED_SERVERS].flatMap((kind) => {
    const isIt = ([name]: readonly string[]) => name === `\`${nameOf(kind)}\``;
    const row = rows.find(isIt) ?? known.find(isIt);
    return row ? [row] : [];
  });
  return markdownTable({ head: ['Target', 'Cases', 'Passed', 'Does not apply'], rows: found });
}

async function compare(kind: ServerKind): Promise<Outcome> {
  const outcome = await runConformance(kind, { seed: 1, fuzz: 3000, guarded: true });
  if (kind.origin && !kind.lacks?.includes('origin')) {
    const { total, failures } = await runOriginFaults(kind);
    outcome.groups.set('origin', { passed: total - failures.length, total });
    outcome.failures.push(...failures);
  }
  const { target, failures, slowest } = outcome;
  console.error(`${target}: ${failures.length} failures, slowest answer ${slowest.toFixed(1)} ms`);
  const text = failureText(outcome);
  if (text) console.error(text);
  return outcome;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { write: { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  const unknown = positionals.find((name) => !SERVERS.some(({ target }) => target === name));
  if (values.help || unknown !== undefined) {
    console.error(unknown === undefined ? USAGE : `There is no target "${unknown}".\n\n${USAGE}`);
    process.exitCode = unknown === undefined ? 0 : 2;
    return;
  }
  const rows: string[][] = [];
  for (const kind of [...SERVERS, ...PACKED_SERVERS]) {
    if (positionals.length > 0 && !positionals.includes(kind.target)) continue;
    if ((await missingPrograms(kind.needs)).length > 0) continue;
    const outcome = await compare(kind);
    if (outcome.failures.length > 0) process.exitCode = 1;
    rows.push(outcomeRow(outcome));
  }
  if (!values.write) return;
  const document = readFileSync(DOCUMENT, 'utf8');
  const [, after = ''] = document.split(startMark('conformance'));
  const table = withRows(after.split(endMark('conformance'))[0]!, rows);
  writeFileSync(DOCUMENT, replaceSection(document, 'conformance', table));
  writeFileSync(TABLE, replaceSection(readFileSync(TABLE, 'utf8'), 'targets', targetsTable()));
}

if (isMain(import.meta.url)) await main();
