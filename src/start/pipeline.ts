/** The CI pipeline of a new repository: it publishes to a bucket, or deploys to the host in another way. */
import { join } from 'node:path';
import { HOST_NAMES, type HostName } from '../contract/hosts.ts';
import { readBoundedText, undefinedIfMissing } from '../files/files-and-folders.ts';

type Pipeline = {
  readonly path: string;
  /** Name of a file of `starter/hosts/`, without `.yml`. */
  readonly steps: string;
  /** Repository variable without which the pipeline does not run. @default it always runs */
  readonly variable?: string;
};

const WORKFLOW = '_github/workflows/publish.yml';
const SERVER: Pipeline = { path: WORKFLOW, steps: 'server', variable: 'CATALOGUE_SERVER' };

const PIPELINES: Readonly<Partial<Record<HostName, Pipeline>>> = {
  'cloudflare-workers': { path: WORKFLOW, steps: 'cloudflare-workers', variable: 'CATALOGUE_PROJECT' },
  'cloudflare-pages': { path: WORKFLOW, steps: 'cloudflare-pages', variable: 'CATALOGUE_PROJECT' },
  netlify: { path: WORKFLOW, steps: 'netlify', variable: 'NETLIFY_SITE' },
  'github-pages': { path: WORKFLOW, steps: 'github-pages' },
  'gitlab-pages': { path: '_gitlab-ci.yml', steps: 'gitlab-pages' },
  nginx: SERVER,
  apache: SERVER,
  node: SERVER,
};

export function publishesToBucket(host: HostName): boolean {
  return PIPELINES[host] === undefined;
}

/** A preview is a folder next to the live release, and images are shared through a cache: both need a bucket. */
const OF_BUCKETS = ['_github/workflows/preview.yml', '_github/workflows/images.yml'];

export function isStarterFileForHost(path: string, host: HostName | undefined): boolean {
  const pipeline = host && PIPELINES[host];
  if (!pipeline) return true;
  return pipeline.path === WORKFLOW
    ? path !== '_gitlab-ci.yml' && !OF_BUCKETS.includes(path)
    : !path.startsWith('_github/');
}

/** In bytes: far more than any handwritten workflow has. */
const MAX_WORKFLOW = 1_000_000;

/** Returns a message if `folder` has a workflow that the starter wrote and that does not publish to `host`. */
export function pipelineConflict(folder: string, host: HostName): string | undefined {
  const path = WORKFLOW.replace('_', '.');
  const workflow = undefinedIfMissing(() => readBoundedText(join(folder, path), MAX_WORKFLOW)) ?? '';
  const guide = /\/hosting\/([\w-]+)\.md$/m.exec(workflow)?.[1];
  const written = HOST_NAMES.find((name) => name === guide);
  const isOther = guide !== undefined && (written && PIPELINES[written]) !== PIPELINES[host];
  return isOther
    ? `The pipeline, ${path}, does not publish to ${host}: remove it, and run "catalogue init . --host ${host}".`
    : undefined;
}

/** Condition of a step: a scheduled run skips the step if a publish would change nothing now. */
const DUE = "github.event_name != 'schedule' || steps.dates.outputs.code == '0'";
const STEPS = /^ *# deploy: begin\n([\s\S]*?)^ *# deploy: end\n/m;

/** `path` is below `starter/`. `read` reads a file of that folder. */
export function pipelineText(
  path: string,
  host: HostName | undefined,
  read: (path: string) => string,
): string {
  const text = read(path);
  const pipeline = host && PIPELINES[host];
  if (pipeline?.path !== path) return text.replace(STEPS, '$1');
  const { steps, variable } = pipeline;
  const deploying = read(`hosts/${steps}.yml`).replaceAll('@@due@@', DUE);
  const changed = text.replace(STEPS, () => deploying);
  if (variable) return changed.replaceAll('CATALOGUE_BUCKET', variable);
  return changed
    .replace(', once the variable CATALOGUE_BUCKET is set', '')
    .replace(', once the CI/CD variable CATALOGUE_BUCKET is set', '')
    .replace("    if: vars.CATALOGUE_BUCKET != ''\n", '    environment: github-pages\n')
    .replace(/^ {2}unset:\n[\s\S]*/m, '')
    .replace('  id-token: write\n', '  id-token: write\n  pages: write\n');
}
