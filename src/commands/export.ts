import { pipeline } from 'node:stream/promises';
import { Option } from '@commander-js/extra-typings';
import { EXPORT_FORMATS } from '../export/formats.ts';
import { actionWithExitCode, apiKeyFromEnvironment, createCommand } from './command.ts';

export const exportCommand = () =>
  createCommand('export', {
    does: 'write every property to one file, from a build or a live catalogue; CATALOGUE_API_KEY holds the key, if one is needed',
    examples: [
      'export --format csv --output properties.csv',
      'export https://stays.example.com --format geojson > properties.geojson',
    ],
    guide: ['api', 'the-whole-catalogue'],
  })
    .argument('[place]', 'folder such as dist/public, or URL in front of the API', 'dist/public')
    .addOption(
      new Option('--format <format>', 'what to write; schema.org is JSON-LD')
        .choices(EXPORT_FORMATS)
        .default('ndjson' as const),
    )
    .option('--output <file>', 'file to write; standard output when absent')
    .action(
      actionWithExitCode(async (place, { format, output }) => {
        const { exportCatalogue, writeFileFromStream } = await import('../export/export.ts');
        const parts = exportCatalogue(place, format, { apiKey: apiKeyFromEnvironment() });
        if (output === undefined) await pipeline(parts, process.stdout, { end: false });
        else await writeFileFromStream(output, parts);
        return 0;
      }),
    );
