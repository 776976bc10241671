/** The command line of a catalogue, beside the process of the test, which may have to serve it. */
import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import type { Bucket } from '../../src/storage/bucket.ts';
import { isAtRest, readLog } from '../../src/storage/lock-log.ts';
import { CLI } from '../support/run-cli.ts';
import { type Catalogue, createCatalogue, expectObjects, tree } from './catalogue.ts';

export type Outcome = { status: number | null; stdout: string; stderr: string };

/** Runs a command beside this process, which may have to serve it. */
export async function run(catalogue: Catalogue, ...args: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: catalogue.root });
  const outcome: Outcome = { status: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    outcome.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    outcome.stderr += chunk;
  });
  outcome.status = await new Promise((resolve) => child.once('close', resolve));
  return outcome;
}

/**
 * Publishes two releases to an empty bucket, goes back to the first, and prunes. The bucket holds exactly one release
 * after each.
 *
 * @param target arguments that name the bucket.
 */
export async function publishByCommand(bucket: Bucket, target: readonly string[]): Promise<void> {
  const catalogue = createCatalogue(3);
  const does = async (command: string, said: RegExp, ...more: string[]) => {
    const { status, stderr } = await run(catalogue, command, ...target, ...more);
    expect(stderr).toMatch(said);
    expect(status, stderr).toBe(0);
    expect(isAtRest(await readLog(bucket))).toBe(true);
  };
  await catalogue.build();
  const first = tree(catalogue.public);
  await does('publish', /^Published release \w+ to /m);
  await expectObjects(bucket, first);
  await does('publish', /^Nothing to publish: /m);

  catalogue.add(2, { email: 'new@house.example' });
  catalogue.remove('house-3.yaml');
  await catalogue.build();
  const second = tree(catalogue.public);
  await does('publish', /^Published release \w+ to .* 1 detail kept until a later publish/m);
  await expectObjects(bucket, second);
  // A listing tells what is there by the hashes of the content.
  await does('publish', /^Nothing to publish: /m, '--verify');

  await does('rollback', /^Restored release \w+ to /m);
  await expectObjects(bucket, first);
  await does(
    'prune',
    /^Pruned .*: 1 earlier release, .*the record of 1 release\.$/m,
    '--grace',
    '0',
    '--force',
  );
  await expectObjects(bucket, first);
}
