import { actionWithExitCode, apiKeyFromEnvironment, createCommand, existingOutOption } from './command.ts';
import { terminal } from './terminal.ts';

export const changesCommand = () =>
  createCommand('changes', {
    does: 'write what changed since the previous release, below dist/public/changes',
    examples: ['changes --previous https://stays.example.com', 'changes --time 2026-01-01T12:00:00Z'],
    guide: ['publishing', 'what-changed'],
  })
    .option(
      '--previous <place>',
      'folder such as dist/public, or base URL, of the previous release; absent for the first. CATALOGUE_API_KEY holds the key, if one is needed',
    )
    .addOption(existingOutOption())
    .option('--time <time>', 'time of the release, when its content is in no git repository')
    .action(
      actionWithExitCode(async ({ previous, out, time }) => {
        const { writeChanges } = await import('../history/write.ts');
        const changes = await writeChanges({ previous, out, time, apiKey: apiKeyFromEnvironment() });
        const { added, changed, removed, release } = changes;
        const { err } = terminal();
        if (release === changes.previous) err('Nothing changed since the previous release.\n');
        else err(`${added.length} added, ${changed.length} changed, ${removed.length} removed\n`);
        return 0;
      }),
    );
