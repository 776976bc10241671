import { documentationUrl } from '../documentation.ts';
import { apiKey, contentOption, createCommand, exits, formatOption, positive } from './command.ts';
import { terminal } from './terminal.ts';

export const importCommand = () =>
  createCommand('import', {
    does: 'write properties of a service, or of a CSV, JSON or NDJSON file, as YAML files',
    examples: ['import https://stays.example.com --photos', 'import houses.csv --mapping houses.yaml'],
    guide: ['importing'],
  })
    .argument('<source>', 'address of a service of this interface, or a file')
    .addOption(contentOption())
    .option(
      '--mapping <file>',
      `which column is which field, for a file: ${documentationUrl('importing', 'from-a-table')}`,
    )
    .option('--force', 'replace files of these properties that were edited, or that no import wrote', false)
    .option('--photos', 'download photos that are links', false)
    .option('--concurrency <number>', 'requests in flight; they adapt to the service when absent', positive)
    .addOption(formatOption())
    .action(
      exits(async (source, { format, ...options }) => {
        const { importSource } = await import('../import/source.ts');
        const { createImportProgress, reportImport } = await import('../report/import.ts');
        const { printDiagnostics } = await import('../report/diagnostics.ts');
        const sink = terminal();
        const { listener, end } = createImportProgress(sink.err, sink.live && format === 'pretty');
        const { name, result, diagnostics } = await importSource(source, {
          ...options,
          apiKey: apiKey(),
          listener,
        }).finally(end);
        printDiagnostics(diagnostics, 'pretty', '', sink);
        if (!result) return 1;
        reportImport(result, format, { source: name, content: options.content }, sink);
        return result.refused + result.conflict > 0 ? 1 : 0;
      }),
    );
