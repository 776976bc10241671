import type { Outcome } from '../import/files/import.ts';
import { documentationUrl } from '../package/documentation.ts';
import { formatNumber } from '../text/amounts.ts';
import {
  actionWithExitCode,
  apiKeyFromEnvironment,
  contentOption,
  createCommand,
  createIntegerParser,
  EXIT_CANCELLED,
  prettyOrJsonOption,
} from './command.ts';
import { exitOnStopSignal } from './stop-signals.ts';
import { terminal } from './terminal.ts';

const PROPOSED = 2;

export const importCommand = () =>
  createCommand('import', {
    does: 'write properties of a service or a table as YAML files',
    examples: ['import houses.csv', 'import https://stays.example.com --photos'],
    guide: ['importing'],
  })
    .argument(
      '<source>',
      'a table (file, address or - for standard input), or address of a service of this interface',
    )
    .addOption(contentOption())
    .option(
      '--mapping <file>',
      `which column is which field; proposed when absent: ${documentationUrl('mapping')}`,
    )
    .option('--declare', 'declare the known fields that other columns look like in catalogue.yaml', false)
    .option('--strict', 'refuse a property for an optional value that cannot be read', false)
    .option('--force', 'replace files of these properties that were edited, or that no import wrote', false)
    .option('--keep-private', 'publish texts that look private, such as an access code', false)
    .option('--photos', 'download photos that are links', false)
    .option('--allow-http-photos', 'download photos over http too', false)
    .option('--allow-private-photos <hosts...>', 'hosts of photos that may have a private address')
    .option('--list-gone', 'list the files from this source whose rows are gone', false)
    .option('--remove-gone', 'remove those of them that nobody edited', false)
    .option('--allow-shrink', 'let the source have far fewer properties than last time', false)
    .option(
      '--concurrency <number>',
      'requests in flight; they adapt to the service when absent',
      createIntegerParser(1),
    )
    .addOption(prettyOrJsonOption())
    .action(
      actionWithExitCode(async (source, options) => {
        const { format, content, listGone, removeGone, allowHttpPhotos, allowPrivatePhotos, ...rest } =
          options;
        const { importSource } = await import('../import/import-source.ts');
        const { createStoredList } = await import('../import/table/source-bytes.ts');
        const { createImportProgress, reportImport } = await import('../report/import.ts');
        const { reportFindings } = await import('../report/diagnostics.ts');
        const { findingsOf } = await import('../source/findings.ts');
        const sink = terminal();
        const { listener, end } = stopping(createImportProgress(sink.err, sink.live && format === 'pretty'));
        const outcomes = format === 'json' ? createStoredList<Outcome>() : undefined;
        const isAsked = format === 'pretty' && sink.canAsk;
        const questions = isAsked ? (await import('../import/questions/questions.ts')).QUESTIONS : undefined;
        const done = await importSource(source, {
          ...{ ...rest, content, ...questions },
          gone: removeGone ? 'remove' : listGone ? 'list' : undefined,
          apiKey: apiKeyFromEnvironment(),
          listener,
          photoRules: { allowHttp: allowHttpPhotos, allowPrivate: allowPrivatePhotos ?? [] },
          keepOutcomes: outcomes?.add ?? false,
        }).finally(end);
        const { result, proposed, diagnostics, hidingWords = [] } = done;
        if (diagnostics.length > 0) {
          reportFindings({}, findingsOf(diagnostics), format, '', sink);
          return 1;
        }
        if (!result && !proposed) return EXIT_CANCELLED;
        const example = result && (await leftExample(content, questions?.confirm));
        reportImport({ ...done, example, isAsked, listsGone: listGone, outcomes }, format, content, sink);
        if (!result) return PROPOSED;
        return result.refused + result.conflict + hidingWords.length > 0 || result.gone.refusal ? 1 : 0;
      }),
    );

type Progress = {
  readonly listener: (done: number, total: number | undefined) => void;
  readonly end: () => void;
};

/** Until `end` is called, a stop signal ends the process and prints how far the import came. */
function stopping(progress: Progress): Progress {
  let state = '';
  const stopHandlingSignals = exitOnStopSignal(() => {
    progress.end();
    return `Stopped${state}.\nThe same command goes on from there.`;
  });
  return {
    listener(done, total) {
      // Without a total, rows are only being read: no file is written yet.
      if (total !== undefined && (state !== '' || done < total))
        state = ` after ${formatNumber(done)} of ${formatNumber(total)} rows: their files are written, the others are missing`;
      progress.listener(done, total);
    },
    end() {
      stopHandlingSignals();
      progress.end();
    },
  };
}

async function leftExample(
  content: string,
  confirm?: (question: string) => Promise<boolean | undefined>,
): Promise<string | undefined> {
  const { findExample, removeExample } = await import('../start/example.ts');
  const path = findExample(content);
  if (path === undefined) return undefined;
  const isUnwanted = await confirm?.(
    `The example of the new catalogue is still among your properties (${path}). Remove it, with its photos?`,
  );
  if (!isUnwanted) return path;
  removeExample(content, path);
  return undefined;
}
