import { printable } from '../text/printable.ts';
import { actionWithExitCode, contentOption, createCommand } from './command.ts';
import { terminal } from './terminal.ts';

export const schemaCommand = () =>
  createCommand('schema', {
    does: 'write the JSON Schemas of property files and of catalogue.yaml, by which text editors complete and explain',
    examples: ['schema'],
    guide: ['editing-commands', 'completion'],
  })
    .addOption(contentOption())
    .option('--out <folder>', 'folder to write to; the content folder when absent')
    .action(
      actionWithExitCode(async ({ content, out }) => {
        const { writeSchemas } = await import('../editing/schema-file.ts');
        const { contentPrefix } = await import('../report/path-prefix.ts');
        for (const path of writeSchemas(content, out))
          terminal().out(`${printable(contentPrefix(path).slice(0, -1))}\n`);
        return 0;
      }),
    );
