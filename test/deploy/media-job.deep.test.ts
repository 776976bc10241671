/** The manifest of the Kubernetes Job that makes images in shares is valid, and its command works. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type IJob, Job } from 'kubernetes-models/batch/v1/Job';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { findShard } from '../../src/media/shard.ts';
import { sound, yaml } from '../compile/workspace.ts';
import { plain } from '../media/picture.ts';
import { createClone, ROOT } from '../support/clone.ts';
import { CLI } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

const manifest = parse(readFileSync(join(ROOT, 'docs/examples/media-job.yaml'), 'utf8')) as IJob;

/** A folder like a clone, with a catalogue of one photo. */
async function clone(): Promise<string> {
  const folder = createClone();
  writeFileSync(join(folder, 'content/a.jpg'), await plain(40, 30, '#123456').jpeg().toBuffer());
  writeFileSync(join(folder, 'content/house.yaml'), yaml(sound(1, { photo: [{ file: 'a.jpg' }] })));
  return folder;
}

/** The errors of a strict compiler for a manifest: unlike the schemas of the API, it refuses unknown fields. */
function compilerErrors(job: unknown): string {
  const folder = temporaryFolder();
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const text = `import type { IJob } from 'kubernetes-models/batch/v1/Job';\nexport const job: IJob = ${JSON.stringify(job)};\n`;
  writeFileSync(join(folder, 'job.ts'), text);
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--types', ''];
  const args = [...options, '--module', 'esnext', '--moduleResolution', 'bundler', 'job.ts'];
  return spawnSync(join(ROOT, 'node_modules/.bin/tsc'), args, { cwd: folder, encoding: 'utf8' }).stdout;
}

it('the Job is valid by the schemas of Kubernetes, with no unknown field', () => {
  expect(() => new Job(manifest).validate()).not.toThrow();
  expect(compilerErrors(manifest)).toBe('');
});

it('the checks find planted mistakes', () => {
  const { spec } = manifest;
  const wrong = { ...manifest, spec: { ...spec, completions: '16' } } as unknown as IJob;
  expect(() => new Job(wrong).validate()).toThrow('spec/completions must be integer');
  const [container] = spec!.template.spec!.containers;
  const pod = { ...spec!.template.spec, containers: [{ ...container, imagePolicy: 'Always' }] };
  const unknown = { ...manifest, spec: { ...spec, template: { ...spec!.template, spec: pod } } };
  expect(compilerErrors(unknown)).toMatch(/imagePolicy.* does not exist in type 'IContainer'/);
});

it('every index of the Job is a share of its own', () => {
  const { completions = 0, parallelism, completionMode, template } = manifest.spec!;
  const [container] = template.spec!.containers;
  const env = Object.fromEntries(container!.env!.map(({ name, value }) => [name, value]));
  expect([completionMode, parallelism]).toEqual(['Indexed', completions]);
  for (let index = 0; index < completions; index++) {
    expect(findShard(undefined, { ...env, JOB_COMPLETION_INDEX: `${index}` })).toMatchObject({
      index,
      count: completions,
    });
  }
});

it('the command of the Job makes all images, each in one share', async () => {
  const folder = await clone();
  const [container] = manifest.spec!.template.spec!.containers;
  // The entry point of the image is the command line (Dockerfile).
  const words = container!.args!.map((word) =>
    word
      .replace(/^s3:.*/, 'cache')
      .replace('/scratch', 'scratch')
      .replace('/work/', ''),
  );
  for (const index of [0, 1]) {
    const env = { ...process.env, JOB_COMPLETION_INDEX: `${index}`, CATALOGUE_SHARDS: '2' };
    const { status, stderr } = spawnSync(process.execPath, [CLI, ...words], {
      cwd: folder,
      encoding: 'utf8',
      env,
    });
    expect(status, stderr).toBe(0);
  }
  const images = readdirSync(join(folder, 'cache'), { recursive: true, encoding: 'utf8' });
  expect(images.filter((name) => /\.(?:jpg|webp)$/.test(name))).toHaveLength(2);
});
