import { resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { toFailure } from '../errors/errors.ts';
import { LISTING_SERVICES } from '../source/listing-requirements.ts';
import {
  actionWithExitCode,
  asOfOption,
  contentOption,
  createCommand,
  diagnosticFormatOption,
  jobsOption,
} from './command.ts';
import { terminal } from './terminal.ts';

export const checkCommand = () =>
  createCommand('check', {
    does: 'find everything that a build would find wrong',
    examples: ['check', "check --fix 'content/ireland/*.yaml'", 'check --format sarif'],
    guide: ['editing-commands', 'check-and-repair'],
  })
    .argument('[paths...]', 'files, folders or glob patterns to report on; all when absent')
    .addOption(contentOption())
    .option(
      '--fix',
      'first repair what is safe to repair: spaces, letter case of codes, slips in known words',
      false,
    )
    .addOption(
      new Option(
        '--recorded',
        'check what the next commit of git records, and report the errors that it brings; for hooks',
      )
        .default(false)
        .conflicts(['fix', 'for']),
    )
    .addOption(
      new Option(
        '--for <service>',
        'also advise what a service wants of each property; never a failure',
      ).choices(LISTING_SERVICES),
    )
    .addOption(asOfOption())
    .addOption(jobsOption())
    .addOption(diagnosticFormatOption())
    .action(
      actionWithExitCode(async (paths, { format, fix, recorded, for: service, ...options }) => {
        const check = recorded
          ? (await import('../diff/check-against-last-commit.ts')).checkAgainstLastCommit
          : (await import('../compile/check.ts')).check;
        const { reportCheck } = await import('../report/check.ts');
        const { exitCodeOfFindings, withProgress } = await import('./progress-and-exit-code.ts');
        const { pathFilter } = await import('./path-filter.ts');
        const { countRepairable, repairContent } = await import('../editing/repair-content.ts');
        const { content } = options;
        const isWanted = pathFilter(paths, content);
        const repaired = fix ? repairContent({ content, isWanted }) : undefined;
        const sink = terminal();
        const { unfit, host, ...result } = await withProgress(sink, format, (progress) =>
          check({ ...options, ...progress, isWanted }),
        );
        // With --recorded, no repairs are counted: they change the working folder, not what the next commit records.
        const repairable = fix || recorded ? undefined : countRepairable(resolve(content), result.findings);
        const { checkListingReadiness } = await import('../compile/listing-readiness.ts');
        const advice = service && checkListingReadiness(service, content, isWanted);
        const inJson = format === 'json' && unfit && toFailure(unfit);
        const error = inJson ? { code: inJson.code, message: inJson.message } : undefined;
        reportCheck({ ...result, repaired, repairable, advice, error }, format, content, sink);
        if (inJson) return inJson.exitCode;
        const { pipelineConflict } = await import('../start/pipeline.ts');
        const conflict = host && format === 'pretty' && pipelineConflict(resolve(content, '..'), host);
        if (conflict) sink.err(`${conflict}\n`);
        if (unfit) throw unfit;
        return exitCodeOfFindings(result.findings);
      }),
    );
