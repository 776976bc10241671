import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { StoreSettings, StoreTraffic } from './object-store.ts';
import type { Command } from './process.ts';

const STORE = fileURLToPath(new URL('./object-store.ts', import.meta.url));

const RCLONE = '/usr/bin/rclone';
export const hasRclone = existsSync(RCLONE);

export type StoreServer = {
  readonly endpoint: string;
  /** Counts itself as a request. */
  readonly traffic: () => Promise<StoreTraffic>;
  readonly clear: () => Promise<unknown>;
  /** Afterwards, the server's processor time counts as that of ended children. */
  readonly stop: () => Promise<unknown>;
};

export async function startStore(settings: StoreSettings = {}): Promise<StoreServer> {
  const args = ['--import', import.meta.resolve('tsx'), STORE, JSON.stringify(settings)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const { value: port } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const endpoint = `http://127.0.0.1:${Number(port)}`;
  return {
    endpoint,
    traffic: async () => (await (await fetch(`${endpoint}/?traffic`)).json()) as StoreTraffic,
    clear: () => fetch(endpoint, { method: 'DELETE' }),
    stop() {
      const ended = once(child, 'exit');
      child.kill();
      return ended;
    },
  };
}

/** The server checks no credentials. */
export const STORE_ENVIRONMENT = {
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_REGION: 'us-east-1',
};

export function rcloneCommand({ endpoint }: StoreServer, folder: string, cwd: string): Command {
  const env = {
    ...STORE_ENVIRONMENT,
    RCLONE_CONFIG: '/dev/null',
    RCLONE_CONFIG_STORE_TYPE: 's3',
    RCLONE_CONFIG_STORE_PROVIDER: 'Other',
    RCLONE_CONFIG_STORE_ENV_AUTH: 'true',
    RCLONE_CONFIG_STORE_REGION: 'us-east-1',
    RCLONE_CONFIG_STORE_ENDPOINT: endpoint,
  };
  const args = ['copy', '--transfers', '32', folder, 'store:stays/theirs'];
  return { file: RCLONE, args, cwd, env };
}
