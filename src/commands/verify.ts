import { apiKey, createCommand, exits, formatOption, positive } from './command.ts';
import { terminal } from './terminal.ts';

export const verifyCommand = () =>
  createCommand('verify', {
    does: 'check a live catalogue from outside; CATALOGUE_API_KEY holds the key, if one is needed',
    examples: ['verify https://stays.example.com', 'verify https://stays.example.com --out dist --all'],
    guide: ['publishing', 'checking-a-live-catalogue'],
  })
    .argument('[base-url]', 'URL in front of the API; that of the build in --out when absent')
    .option('--out <folder>', 'folder of the build that should be live; any release may be when absent')
    .option('--all', 'check every property and every page', false)
    .option('--sample <number>', 'properties, pages and photos to check without --all', positive, 20)
    .addOption(formatOption())
    .action(
      exits(async (baseUrl, { out, all, sample, format }) => {
        const { openDist } = await import('../publish/dist-source.ts');
        const { reportVerify } = await import('../report/verify.ts');
        const { verifyDeployment } = await import('../verify/verify.ts');
        const folder = out ?? (baseUrl === undefined ? 'dist' : undefined);
        const built = folder === undefined ? undefined : await openDist(folder);
        const result = await verifyDeployment(baseUrl ?? built!.baseUrl, {
          all,
          sample,
          expected: built?.release,
          apiKey: apiKey(),
        });
        reportVerify(result, format, terminal());
        if (result.differences.length > 0) return 1;
        // Without a valid key no list was seen, so nothing is verified.
        return result.hasSeenLists ? 0 : 2;
      }),
    );
