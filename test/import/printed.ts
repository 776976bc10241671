import type { SourceResult } from '../../src/import/import-options.ts';
import { reportImport } from '../../src/report/import.ts';

/** Returns the report of an import as a terminal without colours shows it, or its JSON. */
export function printed(done: SourceResult, format: 'pretty' | 'json' = 'pretty'): string {
  const [out, err]: string[][] = [[], []];
  const sink = {
    out: (text: string) => void out!.push(text),
    err: (text: string) => void err!.push(text),
    color: false,
  };
  reportImport(done, format, 'content', sink);
  return (format === 'json' ? out! : err!).join('');
}
