/**
 * Compares every target with the decisions, on its real server, and writes the table of `docs/targets.md`. A target
 * whose server is missing keeps its row out of the table. Fails when a comparison does.
 *
 *     npx tsx scripts/make-targets-table.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { failureText, type Outcome, runConformance } from '../test/conformance/conformance.ts';
import { missingPackages, nameOf } from '../test/conformance/server.ts';
import { PACKED_SERVERS, SERVERS } from '../test/conformance/servers/index.ts';
import { replaceSection } from './bench/marked-section.ts';
import { count, markdownTable } from './bench/table.ts';
import { bundleEdge } from './bundle-edge.ts';
import { isMain } from './command-line.ts';

const DOCUMENT = new URL('../docs/targets.md', import.meta.url);

/** A row for each target, a column for each group of cases: passed of total. */
export function targetsTable(outcomes: readonly Outcome[]): string {
  const groups = [...new Set(outcomes.flatMap(({ groups }) => [...groups.keys()]))];
  const rows = outcomes.map(({ target, groups: counts }) => [
    `\`${target}\``,
    ...groups.map((group) => {
      const found = counts.get(group);
      return found ? `${count(found.passed)} of ${count(found.total)}` : '–';
    }),
  ]);
  return markdownTable({
    head: ['Target', ...groups.map((group) => group[0]!.toUpperCase() + group.slice(1))],
    rows,
  });
}

async function main(): Promise<void> {
  await bundleEdge();
  const outcomes: Outcome[] = [];
  for (const kind of [...SERVERS, ...PACKED_SERVERS]) {
    const missing = missingPackages(kind);
    if (missing.length > 0) {
      console.error(`Not run: ${nameOf(kind)}, for want of ${missing.join(', ')}.`);
      continue;
    }
    const outcome = await runConformance(kind, { seed: 1, fuzz: 3000 });
    outcomes.push(outcome);
    console.error(
      `${outcome.target}: ${outcome.failures.length} failures, slowest answer ${outcome.slowest.toFixed(1)} ms`,
    );
    const text = failureText(outcome);
    if (text) {
      console.error(text);
      process.exitCode = 1;
    }
  }
  const table = targetsTable(outcomes);
  writeFileSync(DOCUMENT, replaceSection(readFileSync(DOCUMENT, 'utf8'), 'conformance', table));
}

if (isMain(import.meta.url)) await main();
