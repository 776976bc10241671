import { actionWithExitCode, createCommand } from './command.ts';
import { terminal, wrapForStream } from './terminal.ts';

export const explainCommand = () =>
  createCommand('explain', {
    does: 'explain a code that a command printed, with what to do',
    examples: ['explain unknown-country', 'explain bucket-denied', 'explain'],
    guide: ['diagnostics'],
  })
    .argument('[code]', 'code of a diagnostic or an error; all codes are listed when absent')
    .action(
      actionWithExitCode(async (code) => {
        const { explanationOf, codeListText } = await import('../report/explanation.ts');
        terminal().out(
          wrapForStream(code === undefined ? codeListText() : explanationOf(code), process.stdout),
        );
        return 0;
      }),
    );
