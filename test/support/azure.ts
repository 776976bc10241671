/** Azurite, an emulator of Azure Blob Storage, installed with npm once per run. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BlobServiceClient } from '@azure/storage-blob';
import { onTestFinished } from 'vitest';
import { openAzureBucket } from '../../src/storage/azure/bucket.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { withRetry } from '../../src/storage/retrying-bucket.ts';
import type { S3Options } from '../../src/storage/s3/store.ts';
import { sharedFolder } from './temporary.ts';

/** The emulator's well-known account. */
const ACCOUNT = 'devstoreaccount1';
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
/** Pinned: later versions need a newer Node.js. */
const AZURITE = 'azurite@3.35.0';

export type Azure = {
  endpoint: string;
  service: BlobServiceClient;
  /** Opens a prefix of the container `stays`, as commands do. */
  open: (prefix?: string, options?: Partial<S3Options>) => Promise<Bucket>;
  close: () => Promise<void>;
};

/** Serves one empty container and sets the account's environment variables. */
export async function serveAzure(): Promise<Azure> {
  const folder = await sharedFolder('azurite', async (made) => {
    writeFileSync(join(made, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', AZURITE];
    await promisify(execFile)('npm', args, { cwd: made });
  });
  const settings = ['--inMemoryPersistence', '--skipApiVersionCheck', '--disableTelemetry', '--silent'];
  const program = join(folder, 'node_modules/azurite/dist/src/blob/main.js');
  const child = spawn(process.execPath, [program, '--blobPort', '0', ...settings], { cwd: folder });
  const origin = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const [, url] = /successfully listens on (http:\S+)/.exec(said) ?? [];
      if (url) resolve(url);
    });
    child.once('exit', () => reject(new Error(`Azurite ended: ${said}`)));
  });
  const endpoint = `${origin}/${ACCOUNT}`;
  process.env.AZURE_STORAGE_ACCOUNT = ACCOUNT;
  process.env.AZURE_STORAGE_KEY = KEY;
  const service = BlobServiceClient.fromConnectionString(
    `DefaultEndpointsProtocol=http;AccountName=${ACCOUNT};AccountKey=${KEY};BlobEndpoint=${endpoint};`,
  );
  await service.getContainerClient('stays').create();
  let prefixes = 0;
  return {
    endpoint,
    service,
    async close() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
    async open(prefix = `p${prefixes++}`, options = {}) {
      const { bucket, close } = await openAzureBucket({ bucket: 'stays', prefix, endpoint, ...options });
      onTestFinished(close);
      return withRetry(bucket, options.retry);
    },
  };
}
