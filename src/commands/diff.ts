/** `catalogue diff`. */

import { review } from '../diff/diff.ts';
import { printableJson } from '../printable.ts';
import { markdownReview, prettyReview } from '../report/diff.ts';
import { contentPrefix } from '../report/report.ts';
import { apiKeyOf } from './api-key.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type DiffArguments = {
  content: string;
  jobs?: number;
  format: 'pretty' | 'markdown' | 'json';
  photos?: string;
};

/** Compares and reports. Returns the exit code. */
export async function runDiff(
  base: string,
  { content, jobs, format, photos }: DiffArguments,
): Promise<number> {
  const { out } = terminal();
  const found = await review({ content, base, jobs, apiKey: apiKeyOf() });
  const prefix = contentPrefix(content);
  if (format === 'json') out(`${printableJson(found)}\n`);
  else if (format === 'markdown') out(markdownReview(found, { prefix, photos }));
  else out(prettyReview(found, prefix, process.stdout.isTTY === true && terminal().color));
  return 0;
}
