import { findingsOf } from '../source/findings.ts';
import {
  actionWithExitCode,
  cacheOption,
  contentOption,
  createCommand,
  diagnosticFormatOption,
  endpointOption,
  jobsOption,
  outOption,
  regionOption,
} from './command.ts';
import { terminal } from './terminal.ts';

export const mediaCommand = () =>
  createCommand('media', {
    does: 'make photos and thumbnails, or a share of them, for builds to find',
    examples: ['media --cache s3://stays/cache', 'media --cache s3://stays/cache --shard 3/16'],
    guide: ['large-catalogues', 'shares'],
  })
    .addOption(contentOption())
    .addOption(outOption('folder whose cache holds the images when no other is named'))
    .option(
      '--shard <number/count>',
      'share of the photos: 1/16 is the first of sixteen; from the environment of Kubernetes, AWS Batch or GitLab when absent',
    )
    .addOption(cacheOption())
    .addOption(endpointOption())
    .addOption(regionOption())
    .option('--check-cache', 'read what the shared cache holds, and make again what is damaged', false)
    .addOption(jobsOption('threads that read files'))
    .addOption(diagnosticFormatOption())
    .action(
      actionWithExitCode(async ({ format, shard: text, ...options }) => {
        const { makeImages } = await import('../compile/images/make-images.ts');
        const { findShard } = await import('../media/shard.ts');
        const { reportMedia } = await import('../report/media.ts');
        const { exitCodeOfFindings, withProgress } = await import('./progress-and-exit-code.ts');
        const shard = findShard(text, process.env);
        const sink = terminal();
        const result = await withProgress(sink, format, (progress) =>
          makeImages({ ...options, ...progress, shard }),
        );
        reportMedia(result, format, options.content, sink);
        return exitCodeOfFindings(findingsOf(result.diagnostics));
      }),
    );
