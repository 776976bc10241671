import {
  actionWithExitCode,
  asOfOption,
  baseUrlOption,
  cacheOption,
  contentOption,
  createCommand,
  diagnosticFormatOption,
  endpointOption,
  jobsOption,
  layoutOption,
  outOption,
  regionOption,
} from './command.ts';
import { runWithStopSignals } from './stop-signals.ts';
import { terminal } from './terminal.ts';

export const buildCommand = () =>
  createCommand('build', {
    does: 'check the content, make images, and write the API to dist',
    examples: ['build', 'build --base-url https://stays.example.com', 'build --keep-going --format github'],
    guide: ['quick-start', 'your-own-catalogue'],
  })
    .addOption(contentOption())
    .addOption(outOption())
    .addOption(baseUrlOption())
    .addOption(layoutOption())
    .option('--keep-going', 'publish what has no error, and list what was left out', false)
    .option('--force', 'read and write everything, even what did not change', false)
    .addOption(asOfOption())
    .addOption(jobsOption())
    .addOption(cacheOption())
    .addOption(endpointOption())
    .addOption(regionOption())
    .addOption(diagnosticFormatOption())
    .action(
      actionWithExitCode(async ({ format, ...options }) => {
        const { build } = await import('../compile/build.ts');
        const { reportBuild } = await import('../report/build.ts');
        const { exitCodeOfFindings, withProgress } = await import('./progress-and-exit-code.ts');
        const sink = terminal();
        return runWithStopSignals(async (signal) => {
          const result = await withProgress(sink, format, (progress) =>
            build({ ...options, ...progress, signal }),
          );
          reportBuild(result, format, options.content, sink);
          return exitCodeOfFindings(result.findings);
        });
      }),
    );
