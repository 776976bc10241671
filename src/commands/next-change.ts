import {
  asOfOption,
  contentOption,
  createCommand,
  formatOption,
  jobsOption,
  withExitCode,
} from './command.ts';
import { terminal } from './terminal.ts';

export const nextChangeCommand = () =>
  createCommand('next-change', {
    does: 'print when what is published changes next by its dates',
    examples: ['next-change', 'next-change --due', 'next-change --as-of now --format json'],
    guide: ['publishing', 'dates'],
  })
    .addOption(contentOption())
    .addOption(asOfOption())
    .option('--due', 'exit with 1 while that time is still ahead: for a scheduler', false)
    .addOption(jobsOption())
    .addOption(formatOption())
    .action(
      withExitCode(async ({ content, due, format, ...options }) => {
        const { findNextChange } = await import('../build/next-change.ts');
        const { reportNextChange } = await import('../report/next-change.ts');
        const found = await findNextChange({ content, ...options });
        const isDue = found.next !== null && found.next <= Date.now();
        reportNextChange(found, isDue, { format, content }, terminal());
        return due && !isDue ? 1 : 0;
      }),
    );
