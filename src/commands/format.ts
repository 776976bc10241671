/** `catalogue format`. */
import { formatContent } from '../editing/format-content.ts';
import { reportFormat } from '../report/editing.ts';
import { wantedBy } from './content-path.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type FormatArguments = { content: string; check: boolean };

/** Formats the given files or folders, and reports. Returns the exit code. */
export function runFormat(paths: string[], { content, check }: FormatArguments): number {
  const result = formatContent({ content, check, isWanted: wantedBy(paths, content) });
  reportFormat(result, check, content, terminal());
  const isUnreadable = result.diagnostics.some(({ severity }) => severity === 'error');
  return isUnreadable || (check && result.changed.length > 0) ? 1 : 0;
}
