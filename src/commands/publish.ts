import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { previewKeyPrefix } from '../contract/preview-keys.ts';
import { UsageError } from '../errors/errors.ts';
import { documentationUrl } from '../package/documentation.ts';
import type { DistSource } from '../publish/dist-source.ts';
import type { PublishListener } from '../publish/progress.ts';
import type { Machine } from '../storage/machine.ts';
import { printable } from '../text/printable.ts';
import {
  createLiveReleaseCommand,
  type LiveReleaseOptions,
  optionalBucketArgument,
  type WriteOptions,
} from './bucket-options.ts';
import { actionWithExitCode, createIntegerParser, existingOutOption } from './command.ts';
import {
  lockOptions,
  openCachePurgers,
  publishOptions,
  runPublish,
  runWithStoppableMachine,
} from './publish-run.ts';
import { terminal } from './terminal.ts';
import { withBucket, withExistingBucket } from './with-bucket.ts';

const NOT_WITH_PREVIEW = ['verify', 'purge', 'allowOlder', 'allowShrink', 'maxShrink', 'keptDays'];

export const publishCommand = () =>
  createLiveReleaseCommand('publish', {
    does: 'upload dist/public to a bucket: only what changed, in a safe order',
    examples: [
      'publish s3://stays --dry-run',
      'publish s3://stays --cloudfront E2EXAMPLE --wait',
      'publish dir:/srv/stays',
      'publish s3://stays --preview pr-12',
    ],
    guide: ['publishing'],
  })
    .addArgument(optionalBucketArgument())
    .addOption(existingOutOption())
    .option('--verify', 'compare with a listing of the bucket, and repair what differs', false)
    .option('--purge', 'purge everything from the caches, even if nothing has to be published', false)
    .optionsGroup('Guards:')
    .option('--allow-older', 'replace a release of a later commit', false)
    .optionsGroup('Previews:')
    .addOption(
      new Option('--preview <name>', 'publish beside the live release, at _previews/<name>/').conflicts(
        NOT_WITH_PREVIEW,
      ),
    )
    .option('--expires <days>', 'days for which a preview is served', createIntegerParser(1), 14)
    .addOption(endPreviewOption())
    .action(
      actionWithExitCode(async (address, options, command) => {
        if (options.purge && !(options.cloudfront || options.keyValueStore || options.cloudflare)) {
          throw new UsageError(
            'no-cache',
            '--purge needs to know what to purge: name it with --cloudfront, --key-value-store or --cloudflare.',
          );
        }
        if (options.preview === undefined && command.getOptionValueSource('expires') === 'cli') {
          throw new UsageError(
            'invalid-option',
            '--expires is of a preview: name that with --preview, or leave out --expires to publish for all readers.',
          );
        }
        if (options.endPreview !== undefined) return endOnePreview(address, options.endPreview, options);
        if (options.preview !== undefined) refuseLiveOptions(command);
        const { openDist } = await import('../publish/dist-source.ts');
        const source = await openDist(options.out);
        return options.preview === undefined
          ? publishLive(address, source, options)
          : publishOnePreview(address, options.preview, source, options);
      }),
    );

async function publishLive(
  address: string,
  source: DistSource,
  options: LiveReleaseOptions & { readonly [Name in 'verify' | 'purge' | 'allowOlder']: boolean },
): Promise<number> {
  const { publishRelease } = await import('../publish/publish.ts');
  const { unpurgedText } = await import('../publish/purge/purge-caches.ts');
  const { publishesToBucket } = await import('../start/pipeline.ts');
  const { isPublicUrl } = await import('../contract/public-url.ts');
  const { others, baseUrl, host: chosen } = source;
  if (address === '' && chosen && !publishesToBucket(chosen)) {
    throw new UsageError(
      'no-target',
      `The host ${chosen} takes no bucket: its steps are in ${documentationUrl(`hosting/${chosen}`)}.`,
    );
  }
  const { format, dryRun: isDryRun, verify, purge, allowOlder } = options;
  return runPublish(address, { format, isDryRun, verb: 'Published' }, async (machine, listener) => {
    const note = (text: string) => listener({ kind: 'note', text });
    if (others.length > 0) note(`Not published, since they are not the catalogue's: ${others.join(', ')}.`);
    if (!isPublicUrl(baseUrl))
      note(
        `The catalogue says that it is at ${baseUrl}, which guests cannot reach: set base_url in catalogue.yaml, and build again.`,
      );
    return withBucket(address, options, async (bucket) => {
      const known = await publishOptions(options, machine, baseUrl);
      const more = { verify, purge, allowOlder, listener };
      const result = await publishRelease(bucket, source, { ...known, ...more });
      const text = isDryRun ? undefined : unpurgedText(source, known.purgers, result);
      if (text) note(text);
      return result;
    });
  });
}

function endPreviewOption() {
  const does = 'publish nothing, and end a preview; prune removes its objects';
  return new Option('--end-preview <name>', does).conflicts([...NOT_WITH_PREVIEW, 'preview', 'expires']);
}

/** Refuses these options only on the command line. Their variables may be set for all commands of a pipeline. */
function refuseLiveOptions(command: CommandUnknownOpts): void {
  for (const flags of ['--signing-key', '--key-value-store']) {
    const option = command.options.find(({ long }) => long === flags);
    if (option && command.getOptionValueSource(option.attributeName()) === 'cli')
      command.error(`error: option '--preview <name>' cannot be used with option '${option.flags}'`, {
        code: 'commander.conflictingOption',
      });
  }
}

async function publishOnePreview(
  address: string,
  name: string,
  source: DistSource,
  options: LiveReleaseOptions & { readonly expires: number },
): Promise<number> {
  const { publishPreview } = await import('../publish/preview.ts');
  const { noteTo } = await import('../report/sink.ts');
  const { reportPreview } = await import('../report/preview.ts');
  const { expires: days, concurrency, format, dryRun } = options;
  const sink = terminal();
  const listener: PublishListener = (event) => {
    if (event.kind === 'note') noteTo(sink)(event.text);
  };
  const run = async (machine: Machine) => {
    const lock = lockOptions(options, machine);
    const purgers = await openCachePurgers(options, machine, source.baseUrl);
    const result = await withBucket(address, options, (bucket) =>
      publishPreview(bucket, name, source, { days, concurrency, lock, listener, purgers }),
    );
    const url = `${source.baseUrl}/${previewKeyPrefix(name)}`;
    reportPreview({ ...result, address: url }, format, dryRun, sink);
  };
  const state = `The live release is as before; preview ${printable(name)} is as it was, and a part of the new one is there already.`;
  return runWithStoppableMachine(run, () => state);
}

async function endOnePreview(address: string, name: string, options: WriteOptions): Promise<number> {
  const { endPreview } = await import('../publish/preview.ts');
  const { reportEndedPreview } = await import('../report/preview.ts');
  const run = async (machine: Machine) => {
    const caches = (baseUrl?: string) => openCachePurgers(options, machine, baseUrl);
    await withExistingBucket(address, options, (bucket) =>
      endPreview(bucket, name, { lock: lockOptions(options, machine), caches }),
    );
    reportEndedPreview(name, options.format, options.dryRun, terminal());
  };
  return runWithStoppableMachine(run, () => `Preview ${printable(name)} may have ended.`);
}
