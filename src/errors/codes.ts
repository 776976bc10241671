/** Errors of commands and findings of imports. Faults of the content are diagnostics instead. Codes are permanent. */
// biome-ignore-all lint/style/noExcessiveLinesPerFile: a table of data, one entry for each code.
export type ErrorEntry = {
  /** In Markdown. */
  readonly cause: string;
  /** In Markdown. */
  readonly remedy: string;
};

const again = 'Run the command again. It continues where it stopped.';

/** Codes of {@link UsageError}: the user must change something. Exit code 2. */
export const USAGE_ERRORS = {
  'ambiguous-release': {
    cause: 'Several kept releases begin with the digits that you gave.',
    remedy: 'Give more digits. `catalogue releases` lists the names.',
  },
  'api-key-needed': {
    cause: 'The catalogue guards its lists with `api_keys`, and the command has no key.',
    remedy: 'Put a key into the environment variable `CATALOGUE_API_KEY`.',
  },
  'damaged-file': {
    cause: 'The file is cut off, or not what its name says.',
    remedy: 'Save or download it again.',
  },
  'damaged-ledger': {
    cause: '`.imported.json`, the record of what imports wrote, is not in its format.',
    remedy:
      'Restore it from git. If you delete it instead, imports take every existing file for yours and replace none.',
  },
  'dist-damaged': {
    cause: 'A file of the build is missing, or differs from what the build wrote.',
    remedy: 'Run `catalogue build --force`, then publish.',
  },
  'dist-incomplete': {
    cause: 'The last build was interrupted, or its `current.json` was edited.',
    remedy: 'Run `catalogue build`, then publish.',
  },
  'duplicate-column': {
    cause: 'Two columns of the table have the same name, so it is not known which one counts.',
    remedy: 'Rename or remove one, then run the command again.',
  },
  'empty-catalogue': {
    cause:
      'The build has no property. This is nearly always a mistake, such as a wrong `--content` or `include`, so it is never published.',
    remedy: 'Check the content folder. `catalogue check` says how many properties it finds.',
  },
  'empty-source': {
    cause:
      'The source of the import has no row, or no property although files came from it before. Nothing was changed.',
    remedy: 'Find out what went wrong with the source. If it is meant, use `--allow-shrink`.',
  },
  'invalid-api-key': {
    cause: 'The service or catalogue refuses the API key.',
    remedy: 'Put the right key into the environment variable `CATALOGUE_API_KEY`.',
  },
  'invalid-base-url': {
    cause: 'The base URL has a query, a fragment or a login, or is not http or https.',
    remedy: 'Give a plain URL, such as `https://stays.example`.',
  },
  'invalid-cache': {
    cause: '`--cache` names neither a bucket nor a folder.',
    remedy: 'Give `s3://bucket`, `s3://bucket/prefix` or the path of a folder.',
  },
  'invalid-configuration': {
    cause: '`catalogue.yaml` has errors, so the content cannot be compared.',
    remedy: 'Run `catalogue check` to see them.',
  },
  'invalid-endpoint': {
    cause: '`--endpoint` is not a URL, or contains a user name or password.',
    remedy: 'Give a URL such as `https://s3.example`. Credentials go into the environment.',
  },
  'invalid-key': {
    cause: 'A public key is not one that `catalogue keys` printed.',
    remedy: 'Copy it again. Several keys are separated by commas.',
  },
  'invalid-key-value-store': {
    cause: '`--key-value-store` is not the ARN of a CloudFront key value store.',
    remedy: 'Copy the ARN from the console of CloudFront, under Functions, Key value stores.',
  },
  'invalid-option': {
    cause: 'The value of an option does not fit the field that it fills.',
    remedy: 'The message says which values do.',
  },
  'invalid-package': {
    cause: '`package.json` in the folder of the new catalogue is not a JSON object.',
    remedy: 'Correct it, then run `catalogue init` again.',
  },
  'invalid-release-name': {
    cause: 'A release is named by at least six hexadecimal digits.',
    remedy: 'Copy the name from `catalogue releases`.',
  },
  'invalid-seen-file': {
    cause: 'The file of `--seen` was not written by `catalogue verify --seen`.',
    remedy: 'Name another file, or delete this one: then the next check trusts what it finds first.',
  },
  'invalid-shard': {
    cause:
      'The share of the photos is not of the form `2/8`, or the variables of the CI system contradict each other.',
    remedy: 'Give `--shard <number>/<count>`, counted from 1.',
  },
  'invalid-signing-key': {
    cause: 'The signing key is not an Ed25519 key that `catalogue keys new` made.',
    remedy: 'Name the right file with `--signing-key`, or put its content into `CATALOGUE_SIGNING_KEY`.',
  },
  'invalid-source': {
    cause: 'The source of an import is neither a table that can be read nor the address of a service.',
    remedy: 'Give a file, a URL of a file, or the base URL of a service such as `https://stays.example`.',
  },
  'invalid-target': {
    cause: 'The destination is not of a known form, or is inside another catalogue.',
    remedy: 'Give `s3://bucket/prefix`, `gs://bucket/prefix`, `az://container/prefix` or `dir:<folder>`.',
  },
  'kept-longer': {
    cause:
      'Readers were promised that releases stay readable until a later time (`_catalogue/releases.json`).',
    remedy: 'Prune after that time. `--force` breaks the promise.',
  },
  'key-exists': {
    cause: 'There is already a file where the new key would go. Replacing it would destroy the key in it.',
    remedy: 'Choose another file.',
  },
  'many-files': {
    cause: 'The packed file holds more than one file, so it is not known which one is the table.',
    remedy: 'Unpack it, and import one table.',
  },
  'missing-options': {
    cause: '`catalogue new` needs a value for every required field.',
    remedy: 'Give the options in the message, or run `catalogue dev --edit`, whose form asks for each.',
  },
  'newer-version': {
    cause: 'A later version of this tool published to the bucket last.',
    remedy:
      'Publish with that version. Where the message names `--allow-older`, that publishes with this one.',
  },
  'next-export': {
    cause: 'A table with a new name has the properties of an earlier one, and would add each of them again.',
    remedy:
      'Import it with the mapping of the earlier table, which makes the same ids: `--mapping houses.mapping.yaml`.',
  },
  'no-api-token': {
    cause: '`--cloudflare` purges through the API of Cloudflare, which needs a token.',
    remedy:
      'Make a token with the permission "Cache Purge" for the zone, and put it into `CLOUDFLARE_API_TOKEN`.',
  },
  'no-base-url': {
    cause: 'Cloudflare purges by URL, and the command does not know the public one.',
    remedy: 'Set `base_url` in `catalogue.yaml`, or give `--base-url`.',
  },
  'no-conditional-writes': {
    cause:
      'The store ignores conditions such as `If-None-Match`, so two publishers could write at the same time.',
    remedy: 'If only one job ever publishes there, use `--no-lock`.',
  },
  'no-cache': {
    cause: '`--purge` was given, but no cache to purge.',
    remedy: 'Name it with `--cloudfront`, `--key-value-store` or `--cloudflare`.',
  },
  'no-content': {
    cause: 'The content folder does not exist.',
    remedy: 'Name it with `--content`. `catalogue init` makes a new catalogue.',
  },
  'no-downloads': {
    cause:
      'With `bulk: false`, or with `api_keys` and no `bulk: true`, a catalogue has no downloads and no changes.',
    remedy: 'Leave this step out, or set `bulk: true`.',
  },
  'no-git': { cause: 'The command `git` is not on the path.', remedy: 'Install git.' },
  'no-header': {
    cause: 'The table begins with values where the names of its columns should be.',
    remedy: 'Put a line with names above it. If lines are above the header, set `skip` in the mapping.',
  },
  'no-previous-release': {
    cause: '`--previous` leads to no catalogue.',
    remedy: 'Name a folder such as `dist/public` or a base URL. Leave it out for the first release.',
  },
  'no-release-time': {
    cause:
      'A change needs the time of its release, which comes from the commit of the content, and the content is not in a git repository.',
    remedy: 'Give the time with `--time`, such as `2026-11-20T09:00:00Z`.',
  },
  'no-repository': {
    cause: 'A revision can only be compared in a git repository.',
    remedy: 'Compare with the folder or address of a build instead.',
  },
  'no-revision': {
    cause: 'The name to compare with is not a git revision, a folder of a build or an address.',
    remedy: 'Check the name. A shallow clone lacks other branches: run `git fetch origin main` first.',
  },
  'no-rows': {
    cause: 'The JSON file has no list of objects where one is expected.',
    remedy: 'Name the place of the list in the mapping, with `rows`.',
  },
  'no-such-file': {
    cause: 'No file has this path or pattern.',
    remedy: 'Check the spelling, and the folder you are in.',
  },
  'no-such-photo': { cause: 'No photo has this path.', remedy: 'Check the path.' },
  'no-target': {
    cause: 'The command does not know where to publish.',
    remedy: 'Name the destination, or set the environment variable `CATALOGUE_BUCKET`.',
  },
  'not-json': {
    cause: 'A file that should be JSON cannot be parsed.',
    remedy: 'Export it again, or correct it.',
  },
  'nothing-built': {
    cause: 'The folder holds no catalogue, or one of another version of this tool.',
    remedy: 'Run `catalogue build` first.',
  },
  'numbers-used-up': {
    cause: 'A signed statement in the bucket has the greatest number that a release can have.',
    remedy: 'Sign with another key, and give its public key to consumers.',
  },
  'not-offered': {
    cause: 'The catalogue does not offer its properties in this format.',
    remedy: 'Use a format that the message names, or set `bulk: true` and `layout: pages`, and build again.',
  },
  'older-commit': {
    cause: 'The build is of an older commit than the live release. Publishing it would undo newer changes.',
    remedy: 'Build the latest commit. `--allow-older` publishes this one all the same.',
  },
  'option-removed': {
    cause: 'An earlier version had this option.',
    remedy: 'The message names what replaces it.',
  },
  'outside-content': {
    cause: 'The path is not in the content folder.',
    remedy: 'Name the content folder with `--content`.',
  },
  'overlapping-folders': {
    cause: 'The output folder is inside the content folder, or the other way round.',
    remedy: 'Choose an output folder beside the content with `--out`.',
  },
  'preview-build': {
    cause: 'The folder was made by `catalogue dev` and contains drafts.',
    remedy: 'Run `catalogue build`, and publish its folder.',
  },
  'preview-layout': {
    cause: 'A preview can only be published in the packed layout.',
    remedy: 'Run `catalogue build --layout packed`, and publish its folder.',
  },
  'preview-name': {
    cause: 'The name of a preview is part of its address.',
    remedy: 'Use up to 63 of the characters a to z, 0 to 9 and `-`, such as `pr-12`.',
  },
  'release-pruned': {
    cause: 'The objects of this release were removed, or never arrived completely.',
    remedy: 'Build its commit, and publish that with `--allow-older`.',
  },
  'row-too-long': {
    cause: 'A line of the table is longer than any row can be. Often a quote is missing.',
    remedy: 'Correct the file at that line.',
  },
  'seen-without-key': {
    cause: '`--seen` remembers the greatest number of a signed release, and only `--key` checks signatures.',
    remedy: 'Give the public key with `--key`, or leave `--seen` out.',
  },
  'signing-key-needed': {
    cause:
      'Earlier releases of this bucket are signed. Readers that check signatures would refuse an unsigned one.',
    remedy: 'Put the key into `CATALOGUE_SIGNING_KEY`, or name its file with `--signing-key`.',
  },
  'source-shrunk': {
    cause:
      'The source of the import has less than half of the earlier properties, or has them with other ids, which would add each again, or with statuses that would hide them, or numbers without decimals. Nothing was changed.',
    remedy:
      'Look what went wrong with the source: spreadsheets change ids in columns that are not formatted as text. If it is meant, use `--allow-shrink`.',
  },
  'source-too-large': {
    cause: 'The source of the import, or what is packed in it, is larger than an import reads.',
    remedy: 'Divide it. A JSON file can be converted to NDJSON, a workbook saved as CSV.',
  },
  'swallowed-rows': {
    cause: 'A quote takes the rows after it into one cell, so they would be lost. Nothing was imported.',
    remedy: 'Remove the quote on the line that the message names, or close it.',
  },
  'target-api-keys': {
    cause: 'A serving platform in `targets` cannot check API keys.',
    remedy: 'Choose another target, or leave this one out of `targets`.',
  },
  'target-cache-control': {
    cause: 'A value of `cache_control` has characters that the configuration of this server cannot hold.',
    remedy: 'Change the value, or leave the target out of `targets`.',
  },
  'target-layout': {
    cause: 'A serving platform in `targets` cannot make pages out of the packed layout.',
    remedy: 'Use `layout: pages`, or a target that runs JavaScript.',
  },
  'target-code-size': {
    cause: 'The configuration is larger than a CloudFront Function may be.',
    remedy: 'Use the target `lambda-edge`, or leave this one out of `targets`.',
  },
  'target-store-size': {
    cause: 'The totals of the lists do not fit into a CloudFront key value store.',
    remedy: 'Use the target `lambda-edge`, or leave this one out of `targets`.',
  },
  'too-many-columns': {
    cause: 'The table has more columns than an import reads.',
    remedy: 'Remove columns that no field needs.',
  },
  'too-large': {
    cause: 'The catalogue exceeds the size that its `host` accepts.',
    remedy: 'The message names settings with which it fits.',
  },
  'too-many-files': {
    cause: 'The catalogue has more files than its `host` accepts.',
    remedy: 'The message names settings with which it fits, such as `layout: packed`.',
  },
  'too-many-removed': {
    cause:
      'The release would remove more properties than the limit allows. Often content is missing by mistake.',
    remedy: 'If it is meant, publish with `--allow-shrink`.',
  },
  'unknown-code': {
    cause: 'No diagnostic and no error has this code.',
    remedy: '`catalogue explain` lists all codes.',
  },
  'unknown-column': {
    cause: 'The mapping names a column that the table does not have.',
    remedy: 'The message lists the columns of the table.',
  },
  'unknown-encoding': {
    cause: 'The mapping names an encoding that cannot be read.',
    remedy: 'Use `utf-8`, `windows-1252` or `utf-16le`.',
  },
  'unknown-preview': {
    cause: 'The bucket serves no preview of this name.',
    remedy: 'Check the name. A preview that has ended or expired need not be ended again.',
  },
  'unknown-release': {
    cause: 'The bucket keeps no such release.',
    remedy: '`catalogue releases` lists those that it keeps.',
  },
  'unknown-sheet': {
    cause: 'The workbook has no sheet of the name in the mapping.',
    remedy: 'The message lists the sheets.',
  },
  'unreadable-key-file': {
    cause: 'The file of `--signing-key` cannot be read.',
    remedy: 'Check the path and its permissions.',
  },
  'wrong-encoding': {
    cause: 'The file is not in the encoding in which it was read.',
    remedy: 'Name the encoding in the mapping, such as `encoding: windows-1252`.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

/** Codes of {@link EnvironmentError}: disk, network or another process failed. Exit code 3. */
export const ENVIRONMENT_ERRORS = {
  'answer-too-large': {
    cause: 'A response of the service is larger than any list or property can be.',
    remedy: 'Check the address.',
  },
  'azure-package-missing': {
    cause: 'Azure Blob Storage needs a package that is not installed.',
    remedy: 'Run `npm install @azure/storage-blob`.',
  },
  'bucket-busy': { cause: 'The store stayed busy after several attempts.', remedy: again },
  'bucket-clock': {
    cause: 'The clocks of this machine and of the store differ too much.',
    remedy: "Set this machine's clock by a time server.",
  },
  'bucket-credentials': {
    cause: 'The credentials are missing, expired or wrong.',
    remedy: 'Check the variables that the message names, and `--endpoint`. Renew temporary credentials.',
  },
  'bucket-denied': {
    cause: 'The credentials are valid but lack a permission.',
    remedy: 'Grant the permission. [Publishing](publishing.md) has the policies.',
  },
  'bucket-failed': {
    cause: 'The store refused a request for another reason, or damaged data in transit.',
    remedy: again,
  },
  'bucket-locked': {
    cause: 'Another publish to this bucket is running, or crashed less than two minutes ago.',
    remedy: 'Wait for it, then run the command again. `--force-unlock` takes the lock away.',
  },
  'bucket-missing': {
    cause: 'The bucket or container does not exist.',
    remedy: 'Create it, or correct its name.',
  },
  'bucket-not-s3': {
    cause: 'The response did not come from an S3 store, but from a proxy or login page.',
    remedy: 'Check the network and `--endpoint`.',
  },
  'bucket-proxy': {
    cause: 'A proxy between this machine and the store requires a login or changes requests.',
    remedy: 'Set `HTTPS_PROXY=http://user:password@host:port`, or name the store in `NO_PROXY`.',
  },
  'bucket-region': {
    cause: 'The region is not known, or the bucket is in another one.',
    remedy: 'Name the region with `--region` or `AWS_REGION`.',
  },
  'bucket-unreachable': {
    cause: 'No connection to the store, or it was lost.',
    remedy: `Check the network. ${again}`,
  },
  'condition-unsupported': {
    cause: 'The store or file system does not support a kind of request that publishing needs.',
    remedy:
      'Choose another store or disk. For a store without conditional writes, see `no-conditional-writes`.',
  },
  'damaged-release': {
    cause: 'The live release is damaged, so nothing can be removed safely.',
    remedy: 'Run `catalogue publish` first: it compares every object.',
  },
  'file-differs': {
    cause:
      'A file of a release is not the one that its root names: it is damaged, or a new release went live meanwhile.',
    remedy: 'Run the command again.',
  },
  'file-missing': {
    cause: 'A file of a release is missing.',
    remedy: 'Build or publish that release again.',
  },
  'folder-refused': {
    cause: 'The output folder cannot be made.',
    remedy: 'Choose another one with `--out`.',
  },
  'foreign-release': {
    cause: 'Something other than this tool replaced `current.json`, which names the live release.',
    remedy: 'Run `catalogue publish` first: it compares every object.',
  },
  'foreign-redirect': {
    cause: 'The service redirects to another host, which would receive the API key.',
    remedy: 'If you trust that host, give its address instead.',
  },
  'incomplete-package': {
    cause: 'A file of this package is missing.',
    remedy: 'Install it again. In a clone, run `npm run compile`.',
  },
  'invalidation-failed': {
    cause:
      'The release is live, but purging a cache failed. Readers may see the previous release until it expires.',
    remedy: again,
  },
  'lost-timeline': {
    cause: 'The record of when releases were live is missing or damaged, so nothing can be removed safely.',
    remedy: 'Run `catalogue publish` first: it compares every object.',
  },
  'lock-lost': {
    cause:
      'Another publisher took the lock, or it could not be renewed. This process no longer changes anything.',
    remedy: again,
  },
  'key-refused': {
    cause: 'The key of an object could lead outside of the folder, such as one with `..`.',
    remedy: 'Someone may have changed the bucket: look at the object that the message names.',
  },
  'lost-log': {
    cause: 'The log of the last publish is missing, so nothing can be removed safely.',
    remedy: 'Run `catalogue publish` first: it compares every object.',
  },
  'root-differs': {
    cause: 'The signed statement is of another release than the live one.',
    remedy:
      'If it stays so for minutes, someone may have changed the bucket: look at it before you publish again.',
  },
  'root-damaged': { cause: 'The root of the live release is missing or damaged.', remedy: 'Publish again.' },
  'no-release': {
    cause: 'The bucket has no live release, so nothing can be removed safely.',
    remedy: 'Run `catalogue publish` first: it compares every object.',
  },
  'not-a-catalogue': {
    cause: 'The address answers, but not with a list of properties.',
    remedy: 'Check the address: it is the part before `/api/v1`.',
  },
  'not-installed': {
    cause: '`npm install` failed in the new catalogue.',
    remedy: 'Run it there to see why.',
  },
  'not-packed': {
    cause: 'npm cannot pack this tool for the new catalogue.',
    remedy: 'Install Node.js with npm.',
  },
  'output-lock-lost': {
    cause:
      'Another build took over the folder, because this one gave no sign of life, or its lock file was deleted.',
    remedy: 'Wait for the other build, then run this one again.',
  },
  'output-locked': {
    cause: 'Another build is writing to the same folder.',
    remedy: 'Wait for it. If it has crashed, delete the lock file that the message names.',
  },
  refused: {
    cause: 'The address is not public, or not https, so the import does not open it.',
    remedy: 'Give a public https address.',
  },
  'release-damaged': {
    cause: 'An object of a kept release is missing or damaged.',
    remedy: 'Build its commit, and publish that with `--allow-older`.',
  },
  'release-rolled-back': {
    cause:
      'A release with a higher number was seen before. A cache may serve an old copy, or someone put it back.',
    remedy: 'Purge the caches with `catalogue publish`, then verify again.',
  },
  'request-expired': { cause: 'A request reached the store too late and had no effect.', remedy: again },
  'source-not-received': {
    cause: 'The source of the import could not be downloaded whole.',
    remedy: 'Check the address and the network, then run the command again.',
  },
  stopped: {
    cause: 'Ctrl+C, or the signal SIGINT or SIGTERM, stopped the command.',
    remedy: again,
  },
  'statement-damaged': {
    cause: 'The signed statement of the live release is damaged.',
    remedy: 'Publish again with the signing key.',
  },
  'statement-early': {
    cause: 'The signed statement is of a later time than the clock of this machine says.',
    remedy: "Set this machine's clock by a time server.",
  },
  'statement-expired': {
    cause: 'The signed statement is older than it may be.',
    remedy: 'Publish again with the signing key: that renews it.',
  },
  'statement-missing': {
    cause: 'The live release is not signed.',
    remedy: 'Publish with `--signing-key`, or verify without `--key`.',
  },
  'too-many-watches': {
    cause: 'The system allows too few watched folders for this content.',
    remedy: 'On Linux: `sysctl fs.inotify.max_user_watches=1000000`.',
  },
  unfinished: {
    cause: 'An earlier publish did not end, so nothing can be removed safely.',
    remedy: 'Run `catalogue publish` first: it compares every object.',
  },
  unreachable: {
    cause: 'A server does not answer, or answers with an error.',
    remedy: 'Check the URL and the network.',
  },
  'workbook-package-missing': {
    cause: 'Workbooks (.xlsx, .ods) are read by a package that is not installed.',
    remedy: 'Run `npm install @e965/xlsx`, or save the sheet as CSV.',
  },
  'wrong-catalogue': {
    cause: 'The signed statement is of a catalogue with another base URL.',
    remedy: 'Check the address. After a change of `base_url`, publish again.',
  },
  'wrong-key': {
    cause: 'The release is not signed by this key, or was changed after it was signed.',
    remedy: 'Check the public key. If it is right, someone may have changed the bucket.',
  },
  EADDRINUSE: {
    cause: 'Another program uses the port.',
    remedy: 'Choose another one with `--port`; 0 takes any free port.',
  },
  EADDRNOTAVAIL: {
    cause: 'The address of `--listen` is not one of this machine.',
    remedy: 'Use 127.0.0.1, or 0.0.0.0 for all addresses.',
  },
  ENOTFOUND: {
    cause: 'The name of `--listen` is not known.',
    remedy: 'Use 127.0.0.1, or 0.0.0.0 for all addresses.',
  },
  EACCES: {
    cause: 'The user of this process lacks a permission: for a file, a folder, or a port below 1024.',
    remedy: 'Check who owns the folder, or choose a port from 1024.',
  },
  ENOSPC: { cause: 'The disk is full.', remedy: `Make room. ${again}` },
  EROFS: { cause: 'The disk is read-only.', remedy: 'Choose another folder with `--out`.' },
  EMFILE: { cause: 'Too many files are open.', remedy: 'Raise the limit with `ulimit -n`.' },
  failed: {
    cause: 'An error that this tool does not know.',
    remedy: 'If it repeats, report it with the whole message.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

/** Findings of an import about its source and about the files that it writes. Faults of content are diagnostics. */
export const IMPORT_FINDINGS = {
  'ambiguous-number': {
    cause: 'The numbers of a column may have groups of three digits, or three decimals: `1.250`.',
    remedy: 'Say in the mapping which sign is before the decimals: `{ from: <column>, decimal: "," }`.',
  },
  'blank-rows': {
    cause: 'The table has rows without a value. They were skipped.',
    remedy: 'Nothing needs to be done.',
  },
  'deleted-file': {
    cause: 'A property file was deleted since the last import. It is written again.',
    remedy: 'To keep the property out, remove its row from the source; to hide it, write `draft: true`.',
  },
  'distant-move': {
    cause: 'The source moves a property by 50 km or more, but not to another town or postal code.',
    remedy: 'Check its coordinates. If the new ones are right, nothing needs to be done.',
  },
  'edited-file': {
    cause: 'A property file was edited since it was imported, and the source changed the same fields.',
    remedy:
      'These fields stay as they are. Change them by hand, or import with `--force` to have what the source says.',
  },
  'edited-photo': {
    cause: 'A photo was changed since it was imported, and the source has another one now.',
    remedy: 'The photo stays as it is. Delete it, or import with `--force`, to have the one of the source.',
  },
  'encoding-guessed': {
    cause: 'The table is not UTF-8, so its encoding was guessed.',
    remedy: 'If letters are wrong, name the encoding in the mapping: `encoding: windows-1252`.',
  },
  'foreign-file': {
    cause: 'A file that no import wrote has the same property and says something else.',
    remedy: 'The file stays as it is. Change it by hand, or import with `--force` to replace it.',
  },
  'formula-without-result': {
    cause: 'The workbook has formulas whose results it does not hold. They were taken as empty.',
    remedy: 'Open the workbook in a spreadsheet program, and save it.',
  },
  'header-guessed': {
    cause: 'The first rows do not look like the names of columns, so a later one was taken.',
    remedy: 'If that is wrong, give the number of rows above the names in the mapping: `skip: 2`.',
  },
  'hidden-rows': {
    cause: 'The workbook has hidden rows. They were read like others.',
    remedy: 'Delete those that are not to be imported.',
  },
  'declined-columns': {
    cause: 'The mapping lists columns that its owner declined, so their fields are not declared.',
    remedy: 'To have one, delete its line in the mapping, and import again.',
  },
  'same-title': {
    cause: 'Every row of the table has the same title.',
    remedy: 'Choose another column for the title in the mapping.',
  },
  'id-from-title': {
    cause: 'No column identifies the rows, so the ids of the properties follow from their titles and places.',
    remedy: 'Give the table a column of ids. Without one, a property with another title is another property.',
  },
  'malformed-row': {
    cause:
      'A row has more cells than the header, or another number of cells than the others, or cannot be read.',
    remedy: 'Put a cell that contains the separator in quotes, or correct the row.',
  },
  'merged-file': {
    cause:
      'A property file was edited since it was imported, and the source changed other fields. The file has both.',
    remedy: 'Nothing needs to be done.',
  },
  'not-a-point': {
    cause: 'Some features of the GeoJSON are lines or areas, which have no single place.',
    remedy: 'Give them a point, or place these drafts on the map with `catalogue dev --edit`.',
  },
  'not-received': { cause: 'The service did not answer for a property.', remedy: 'Import again later.' },
  'not-yes-or-no': {
    cause: 'A column that the mapping reads for a yes has other words, which count as no.',
    remedy: 'Add the words that mean yes below `true` in the mapping.',
  },
  'other-language': {
    cause: 'Texts of the table are in another language than the catalogue.',
    remedy: 'Set `language` or `languages` in `catalogue.yaml`.',
  },
  'other-sheets': {
    cause: 'The workbook has several sheets, and one was read.',
    remedy: 'For another one, name it in the mapping: `sheet: Houses`.',
  },
  'outside-content': {
    cause: 'A symbolic link leads the file out of the content folder.',
    remedy: 'Put a folder in the place of the link.',
  },
  'photo-not-received': {
    cause: 'A photo could not be downloaded or copied. The message says why.',
    remedy: 'Correct its address, or import again later.',
  },
  'price-spread': {
    cause: 'Prices of one currency differ a hundredfold or more. One may have lost its decimals.',
    remedy: 'Look at both. If one is wrong, correct it in the source, or `decimal` in the mapping.',
  },
  'private-column': {
    cause: 'The mapping publishes a column that looks private.',
    remedy: 'If guests must not read it, remove it from the mapping.',
  },
  'private-table': {
    cause: 'The table has private columns, and git would commit it.',
    remedy: 'Add it to `.gitignore`, or move it out of the repository.',
  },
  'private-text': {
    cause:
      'A text has what looks like an access code, a bank account or a card. Its sentence was left out, the value, or the property that needs it.',
    remedy: 'Remove it from the source; if guests may read it, import with `--keep-private`.',
  },
  'repeated-header': {
    cause: 'The row of names is repeated in the table. It was skipped.',
    remedy: 'Nothing needs to be done.',
  },
  'repeated-id': {
    cause:
      'A column that looks like the number of each row has values twice, so the ids do not follow from it.',
    remedy: 'Remove the surplus rows before the first import, or give them numbers of their own.',
  },
  'repeated-name': {
    cause: 'An object of the JSON has one name twice, so one of the values is lost.',
    remedy: 'Rename or remove one of the two.',
  },
  'repeated-row': {
    cause: 'A row says the same as an earlier row. It was skipped.',
    remedy: 'Remove it from the table.',
  },
  'rounded-id': {
    cause:
      'A spreadsheet shortened the long numbers of the column that ids follow from. Several rows may share one now.',
    remedy:
      'Import the export as it came. If you open it in a spreadsheet, format the column as text before you save.',
  },
  'rows-guessed': {
    cause: 'The JSON has several lists, and the longest one was taken for the properties.',
    remedy: 'If that is wrong, name the list in the mapping: `rows: data.hotels`.',
  },
  'rows-passed-over': {
    cause: 'The mapping asks for it: rows without a value of a field are skipped, as are rows of totals.',
    remedy: 'Change `missing: skip` in the mapping to import them.',
  },
  'several-emails': {
    cause: 'A cell has several e-mail addresses. The first one was taken.',
    remedy: 'If another one is meant, put it first.',
  },
  'several-phones': {
    cause: 'A cell has several phone numbers. The first one was taken.',
    remedy: 'If another one is meant, put it first.',
  },
  'short-row': {
    cause: 'A row has fewer cells than the header, and a required value is missing.',
    remedy: 'If it broke off, complete it.',
  },
  'stray-quote': {
    cause: 'A cell starts with a quote that does not enclose it. The quote was read as a plain character.',
    remedy: 'If the quote encloses the cell, write each quote within it twice.',
  },
  'too-many-removed': {
    cause: 'More files would be removed than the limit permits. None was removed.',
    remedy: 'If that is meant, import with `--allow-shrink`.',
  },
  'unfinished-draft': {
    cause: 'The row lacks a required value, so the property is a draft.',
    remedy: 'Complete it with `catalogue dev --edit`, or say in the mapping where the value comes from.',
  },
  'unknown-rows': {
    cause: 'Rows without a readable id may be those of the files that would be removed. None was removed.',
    remedy: 'Correct these rows first.',
  },
  'unknown-status': {
    cause:
      'A status is not in the mapping: such properties are drafts. Or an unused column may be the status.',
    remedy:
      'Add the word below `draft` in the mapping: to `false` if guests should see them, else to `true`.',
  },
  'unreadable-file': {
    cause: 'A property file that came from this source cannot be read. Nothing was written for its row.',
    remedy: 'Correct the file where the message says, and import again.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

export type ImportCode = keyof typeof IMPORT_FINDINGS;
export type UsageCode = keyof typeof USAGE_ERRORS;
export type EnvironmentCode = keyof typeof ENVIRONMENT_ERRORS;
