import type { SourceResult } from '../../src/import/import-source.ts';
import { reportImport } from '../../src/report/import.ts';

/** Returns the report of an import as a terminal without colours shows it. */
export function printed(done: SourceResult): string {
  const lines: string[] = [];
  const sink = { out: () => {}, err: (text: string) => void lines.push(text), color: false };
  reportImport(done, 'pretty', 'content', sink);
  return lines.join('');
}
