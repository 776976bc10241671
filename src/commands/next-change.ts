import {
  actionWithExitCode,
  asOfOption,
  contentOption,
  createCommand,
  jobsOption,
  prettyOrJsonOption,
} from './command.ts';
import { terminal } from './terminal.ts';

/**
 * For this many milliseconds after a commit, publishes are due even if no date shows or hides a property: the first
 * publish keeps the details of removed properties for readers of cached lists, so a later publish must remove them.
 */
const FOLLOW_UP = 2 * 3600 * 1000;

export const nextChangeCommand = () =>
  createCommand('next-change', {
    does: 'print when what is published changes next by its dates',
    examples: ['next-change', 'next-change --due', 'next-change --as-of now --format json'],
    guide: ['publishing', 'dates'],
  })
    .addOption(contentOption())
    .addOption(asOfOption())
    .option('--due', 'exit with 1 if a publish now would change nothing: for a scheduler', false)
    .addOption(jobsOption())
    .addOption(prettyOrJsonOption())
    .action(
      actionWithExitCode(async ({ content, due, format, ...options }) => {
        const { findNextChange } = await import('../compile/next-change.ts');
        const { reportNextChange } = await import('../report/next-change.ts');
        const found = await findNextChange({ content, ...options });
        const now = Date.now();
        const { next, asOf } = found;
        const isDue =
          (next !== null && next <= now) || (asOf.from === 'commit' && now < asOf.instant + FOLLOW_UP);
        reportNextChange(found, isDue, { format, content }, terminal());
        return due && !isDue ? 1 : 0;
      }),
    );
