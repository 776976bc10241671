import { UsageError } from '../errors/errors.ts';
import {
  actionWithExitCode,
  apiKeyFromEnvironment,
  createCommand,
  createIntegerParser,
  prettyOrJsonOption,
} from './command.ts';
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
    .option(
      '--sample <number>',
      'properties, pages and photos to check without --all',
      createIntegerParser(1),
      20,
    )
    .option('--key <keys>', 'public keys, separated by commas: refuse what none of them signed')
    .option('--seen <file>', 'file of the numbers seen so far: with --key, refuse an older release')
    .addOption(prettyOrJsonOption())
    .action(
      actionWithExitCode(async (baseUrl, { out, all, sample, key, seen, format }) => {
        if (seen !== undefined && key === undefined) {
          throw new UsageError(
            'seen-without-key',
            '--seen needs --key: only a signed release has a number. Add --key with the public key of the catalogue, or leave out --seen.',
          );
        }
        const { openDist } = await import('../publish/dist-source.ts');
        const { reportVerify } = await import('../report/verify.ts');
        const { verifyDeployment } = await import('../verify/verify.ts');
        const folder = out ?? (baseUrl === undefined ? 'dist' : undefined);
        const built = folder === undefined ? undefined : await openDist(folder);
        const { hostOf } = await import('../contract/hosts.ts');
        const { parsePublicKeys } = await import('../release/signed-statement.ts');
        const { readSeenReleaseNumber, writeSeenReleaseNumber } = await import('../verify/seen-numbers.ts');
        const url = baseUrl ?? built!.baseUrl;
        const result = await verifyDeployment(url, {
          all,
          sample,
          expected: built?.release,
          isStatic: hostOf(built?.host)?.isStatic,
          keys: key === undefined ? undefined : parsePublicKeys(key),
          seen: seen === undefined ? undefined : readSeenReleaseNumber(seen, url),
          apiKey: apiKeyFromEnvironment(),
        });
        reportVerify(result, format, terminal());
        if (result.differences.length > 0) return 1;
        // After a difference, the number is not stored: the objects might not belong to the signed release.
        if (seen !== undefined && result.number) writeSeenReleaseNumber(seen, url, result.number);
        // If no list was checked, for example without an API key, the release is verified only in part.
        return result.hasSeenLists ? 0 : 2;
      }),
    );
