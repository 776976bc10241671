/** Signed releases by the command line: made, published, checked, attacked. */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  CURRENT_KEY,
  propertyKey,
  RELEASE_STATEMENTS_FOLDER,
  rootKey,
} from '../../src/contract/object-keys.ts';
import { startServer } from '../../src/serve/server.ts';
import { idOf } from '../compile/workspace.ts';
import { freePort } from '../conformance/server.ts';
import { createCatalogue } from '../publish/catalogue.ts';
import { CLI } from '../support/run-cli.ts';

/** A catalogue with two signed releases, the second one live and served. */
async function signed() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const catalogue = createCatalogue(3, `page_sizes: [25]\nbase_url: ${url}\n`);
  const live = join(catalogue.root, 'live');
  const before = join(catalogue.root, 'before');
  // In a process beside this one, which has to answer its requests.
  const run = (...args: string[]) =>
    new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
      execFile(process.execPath, [CLI, ...args], { cwd: catalogue.root }, (error, stdout, stderr) =>
        resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });
  const key = (await run('keys', 'new', 'signing.key')).stdout.trim();
  const publish = async (file = 'signing.key') => {
    await catalogue.build();
    const { status, stderr } = await run('publish', `dir:${live}`, '--signing-key', file);
    expect(status, stderr).toBe(0);
  };
  await publish();
  cpSync(live, before, { recursive: true });
  catalogue.add(1, { title: 'House 1, the new one' });
  await publish();
  const server = await startServer({ root: live, port });
  onTestFinished(server.close);
  const verify = (...more: string[]) => run('verify', url, '--key', key, ...more);
  return { ...{ catalogue, live, before, run, key, url, publish, verify } };
}

/** The statement's file that has this number. */
function statementOf(folder: string, number: number): string {
  const statements = join(folder, RELEASE_STATEMENTS_FOLDER);
  const name = readdirSync(statements).find((one) =>
    readFileSync(join(statements, one), 'utf8').includes(`"number":${number},`),
  )!;
  return join(statements, name);
}

it('makes a key that only its owner may read, and never shows or replaces it', async () => {
  const { catalogue, run, key } = await signed();
  const file = join(catalogue.root, 'signing.key');
  const text = readFileSync(file, 'utf8').trim();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(key).toMatch(/^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=$/);
  expect((await run('keys', 'show', 'signing.key')).stdout).toBe(`${key}\n`);
  const again = await run('keys', 'new', 'signing.key');
  expect([again.status, again.stdout]).toEqual([2, '']);
  expect(again.stderr).toContain('key-exists');
  writeFileSync(file, `${text.slice(0, 30)}\n`);
  const damaged = await run('publish', `dir:${catalogue.root}/live`, '--signing-key', 'signing.key');
  expect(damaged.status).toBe(2);
  expect(damaged.stderr).toContain('invalid-signing-key');
  expect(damaged.stderr).not.toContain(text.slice(0, 20));
});

it('verifies what the key signed, as the OpenSSL lines of the guide do', async () => {
  const { catalogue, live, key, verify } = await signed();
  const { status, stderr } = await verify('--all', '--seen', 'seen.json');
  expect(status, stderr).toBe(0);
  const guide = readFileSync(new URL('../../docs/releases.md', import.meta.url), 'utf8');
  const [, lines = ''] = /```sh\n(head -n 1 statement[^`]*)```/.exec(guide) ?? [];
  cpSync(statementOf(live, 2), join(catalogue.root, 'statement.ndjson'));
  const check = () =>
    spawnSync('sh', ['-ec', lines.replace('MCowBQYDK2VwAyEA…', key)], {
      cwd: catalogue.root,
      encoding: 'utf8',
    });
  expect(check().stdout).toContain('Signature Verified Successfully');
  const file = join(catalogue.root, 'statement.ndjson');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"number":2', '"number":3'));
  expect(check().status).not.toBe(0);
});

it('refuses each attack by its own code', async () => {
  const { catalogue, live, before, run, key, url, verify } = await signed();
  expect((await verify('--seen', 'seen.json')).status).toBe(0);
  expect(JSON.parse(readFileSync(join(catalogue.root, 'seen.json'), 'utf8'))).toEqual({ [url]: 2 });
  const current = join(catalogue.root, 'current');
  cpSync(live, current, { recursive: true });
  const attack = async (change: () => void, ...more: string[]) => {
    change();
    const { status, stderr } = await verify(...more);
    rmSync(live, { recursive: true });
    cpSync(current, live, { recursive: true });
    return { status, code: /^([a-z-]+): /m.exec(stderr)?.[1], stderr };
  };
  const overwrite = (from: string) => () => {
    rmSync(live, { recursive: true });
    cpSync(from, live, { recursive: true });
  };
  const { release } = JSON.parse(readFileSync(join(live, CURRENT_KEY), 'utf8')) as { release: string };
  const root = join(live, rootKey(release));
  expect(await attack(overwrite(before), '--seen', 'seen.json')).toMatchObject({
    ...{ status: 3, code: 'release-rolled-back' },
  });
  expect(await attack(overwrite(before))).toMatchObject({ status: 0 });
  expect(await attack(() => cpSync(statementOf(before, 1), statementOf(live, 2)))).toMatchObject({
    ...{ status: 3, code: 'root-differs' },
  });
  expect(await attack(() => writeFileSync(root, readFileSync(root).subarray(0, 500)))).toMatchObject({
    ...{ status: 3, code: 'root-damaged' },
  });
  expect(await attack(() => rmSync(statementOf(live, 2)))).toMatchObject({
    status: 3,
    code: 'statement-missing',
  });
  const property = propertyKey(idOf(1));
  const mixed = await attack(() => cpSync(join(before, property), join(live, property)), '--all');
  expect(mixed).toMatchObject({ status: 1 });
  expect(mixed.stderr).toContain(idOf(1));
  const stranger = (await run('keys', 'new', 'other.key')).stdout.trim();
  expect((await run('verify', url, '--key', stranger)).stderr).toContain('wrong-key');
  expect((await run('verify', url, '--key', `${stranger},${key}`)).status).toBe(0);
  expect((await run('verify', url.replace('127.0.0.1', 'localhost'), '--key', key)).stderr).toContain(
    'wrong-catalogue',
  );
  writeFileSync(join(catalogue.root, 'seen.json'), '{');
  expect((await verify('--seen', 'seen.json')).stderr).toContain('invalid-seen-file');
});

it('a key is changed by signing with two for a while', async () => {
  const { catalogue, run, key, url, publish, verify } = await signed();
  const later = (await run('keys', 'new', 'later.key')).stdout.trim();
  const [one, two] = ['signing.key', 'later.key'].map((name) =>
    readFileSync(join(catalogue.root, name), 'utf8'),
  );
  writeFileSync(join(catalogue.root, 'both.key'), `${one}${two}`);
  await publish('both.key');
  expect((await verify()).status).toBe(0);
  expect((await run('verify', url, '--key', later)).status).toBe(0);
  await publish('later.key');
  catalogue.add(2, { title: 'House 2, the new one' });
  await publish('later.key');
  expect((await run('verify', url, '--key', later)).status).toBe(0);
  expect((await run('verify', url, '--key', key)).stderr).toContain('wrong-key');
});
