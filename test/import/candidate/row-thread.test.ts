import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { preparedInThread, type RowThreadSettings } from '../../../src/import/candidate/row-thread.ts';
import { temporaryFolder } from '../../support/temporary.ts';

it.each([
  ['ends without an answer', 'process.exit(0)', 'ended without an answer'],
  [
    'has too little memory',
    `throw Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })`,
    'take too much memory',
  ],
])('a thread that %s ends the import', async (_, code, message) => {
  const path = join(temporaryFolder(), 'worker.mjs');
  writeFileSync(path, `${code};`);
  async function* messages() {
    yield [];
  }
  const prepared = preparedInThread(pathToFileURL(path), {} as RowThreadSettings, messages());
  await expect(prepared.next()).rejects.toThrow(message);
});
