import { actionWithExitCode, contentOption, createCommand } from './command.ts';
import { terminal } from './terminal.ts';

export const formatCommand = () =>
  createCommand('format', {
    does: 'write property files in one form: order of fields, quotes, positions; comments stay',
    examples: ['format', 'format content/ireland', 'format --check'],
    guide: ['editing-commands', 'format'],
  })
    .argument('[paths...]', 'files, folders or glob patterns; all when absent')
    .addOption(contentOption())
    .option(
      '--check',
      'write nothing; list what is not formatted, or cannot be, and end with exit code 1 if anything is',
      false,
    )
    .action(
      actionWithExitCode(async (paths, { content, check }) => {
        const { formatContent } = await import('../editing/format-content.ts');
        const { isError } = await import('../source/diagnostic.ts');
        const { reportFormatting } = await import('../report/formatted-files.ts');
        const { pathFilter } = await import('./path-filter.ts');
        const result = formatContent({ content, check, isWanted: pathFilter(paths, content) });
        reportFormatting(result, check, content, terminal());
        const isOpen = result.changed.length + result.left.length > 0;
        return result.diagnostics.some(isError) || (check && isOpen) ? 1 : 0;
      }),
    );
