import { Option } from '@commander-js/extra-typings';
import {
  actionWithExitCode,
  apiKeyFromEnvironment,
  asOfOption,
  baseUrlOption,
  contentOption,
  createCommand,
  jobsOption,
  layoutOption,
} from './command.ts';
import { terminal, wrapForStream } from './terminal.ts';

export const diffCommand = () =>
  createCommand('diff', {
    does: 'show what the content changes in what is published, property by property',
    examples: ['diff', 'diff origin/main --format markdown', 'diff https://stays.example.com'],
    guide: ['reviewing'],
  })
    .argument('[base]', 'git revision, folder of a build, or base URL to compare with', 'HEAD')
    .addOption(contentOption())
    .addOption(asOfOption())
    .addOption(jobsOption())
    .addOption(baseUrlOption())
    .addOption(layoutOption())
    .option('--preview <name>', 'name of the preview of this change, whose address is reported')
    .option('--photos <url>', 'URL in front of the files of this revision, for pictures in Markdown')
    .addOption(
      new Option('--format <format>', 'how to report')
        .choices(['pretty', 'markdown', 'json'] as const)
        .default('pretty' as const),
    )
    .action(
      actionWithExitCode(async (base, { format, photos, ...options }) => {
        const { diffContent } = await import('../diff/diff.ts');
        const { reportContentDiff } = await import('../report/diff.ts');
        const found = await diffContent({ ...options, base, apiKey: apiKeyFromEnvironment() });
        const { out, ...sink } = terminal();
        const color = sink.color && process.stdout.isTTY === true;
        reportContentDiff(
          found,
          { format, content: options.content, photos },
          {
            ...sink,
            out: format === 'pretty' ? (text) => out(wrapForStream(text, process.stdout)) : out,
            color,
          },
        );
        return found.incomparable.length > 0 ? 1 : 0;
      }),
    );
