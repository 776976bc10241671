import { createCommand, exits } from './command.ts';
import { forStream, terminal } from './terminal.ts';

export const explainCommand = () =>
  createCommand('explain', {
    does: 'explain a code that a check or a build printed, with an example and its repair',
    examples: ['explain unknown-country', 'explain'],
    guide: ['diagnostics'],
  })
    .argument('[code]', 'code of a diagnostic; all codes are listed when absent')
    .action(
      exits(async (code) => {
        const { explanationOf, listCodes } = await import('../report/explanation.ts');
        terminal().out(forStream(code === undefined ? listCodes() : explanationOf(code), process.stdout));
        return 0;
      }),
    );
