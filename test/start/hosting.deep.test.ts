/**
 * The pages of `docs/hosting/`, each followed from `init` to the first answer: the commands of "Set up" and of "What you
 * should see" run as the page has them, with folders in place of servers, and the local runtime of the platform.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, type TestContext } from 'vitest';
import { HOST_NAMES } from '../../src/contract/hosts.ts';
import type { Page } from '../../src/contract/property.ts';
import { openDist } from '../../src/publish/dist-source.ts';
import { publishesToBucket } from '../../src/start/pipeline.ts';
import { readTree } from '../compile/workspace.ts';
import { apacheServer } from '../conformance/apache/server.ts';
import { startAssets } from '../conformance/cloudflare-assets/server.ts';
import { workerServer } from '../conformance/cloudflare-worker/server.ts';
import { cloudfrontServer } from '../conformance/cloudfront-function/server.ts';
import type { Fixture } from '../conformance/fixture.ts';
import { lambdaServer } from '../conformance/lambda-edge/server.ts';
import { nginxNjsServer } from '../conformance/nginx-njs/server.ts';
import {
  freePort,
  listening,
  type RunningServer,
  type ServerInput,
  startProgram,
} from '../conformance/server.ts';
import { HAS_IPV6 } from '../conformance/servers/nginx.ts';
import { sendPlainFile } from '../conformance/servers/plain-file.ts';
import { compatibilityDate, LISTENING, running } from '../conformance/servers/workerd.ts';
import { skipWithout } from '../conformance/suite.ts';
import { serveAzure } from '../support/azure.ts';
import { ROOT } from '../support/clone.ts';
import { serveGoogle } from '../support/google.ts';
import type { Program } from '../support/programs.ts';
import { startS3 } from '../support/s3.ts';
import { serveFiles } from '../support/served-files.ts';
import { sharedFolder } from '../support/temporary.ts';
import { follow, openSandbox, type Sandbox, scriptOf } from './sandbox.ts';

const RSYNC: Program = { program: '/usr/bin/rsync', package: 'rsync' };
const run = promisify(execFile);

type Input = Pick<ServerInput, 'root' | 'edge'>;

function fixtureOf(root: string, layout?: 'packed'): Fixture {
  const files = new Map([...readTree(root).keys()].map((key) => [key, readFileSync(join(root, key))]));
  const nothing = { summaries: [], cities: [], missing: [], details: new Map() };
  return { base: '', sizes: [], keys: [], layout, files, ...nothing };
}

/** A place with files, without a key, as a bucket or a site has them. */
async function serveOrigin(files: Fixture['files']): Promise<string> {
  const server = createServer((request, response) => {
    const key = decodeURIComponent((request.url ?? '').slice(1));
    if (!sendPlainFile({ files } as Fixture, key, request, response))
      response.writeHead(404).end('nothing here');
  });
  server.keepAliveTimeout = 0;
  const { port, stop } = await listening(server);
  onTestFinished(stop);
  return `http://127.0.0.1:${port}`;
}

const DENO = 'deno@2.9.6';

/** Runs a module of a folder in Deno, which npm installs once in a run. It listens on the port that the module names. */
async function startDeno(folder: string, main: string, origin: string): Promise<RunningServer> {
  const installed = await sharedFolder('deno', async (made) => {
    writeFileSync(join(made, 'package.json'), '{ "private": true }\n');
    await run('npm', ['install', '--no-audit', '--no-fund', DENO], { cwd: made });
  });
  const port = await freePort();
  const program = join(installed, 'node_modules/.bin/deno');
  const args = [
    'serve',
    '--port',
    String(port),
    '--host',
    '127.0.0.1',
    '--allow-net',
    '--allow-env',
    '--allow-read',
  ];
  writeFileSync(join(folder, 'main.js'), main);
  const env = {
    ...process.env,
    CATALOGUE_ORIGIN: origin,
    DENO_DIR: join(installed, 'cache'),
    DENO_NO_UPDATE_CHECK: '1',
  };
  return startProgram(program, [...args, join(folder, 'main.js')], port, { env });
}

/** The module of Deno's own adapter, whose port is that of the test. */
const deno = (folder: string) =>
  readFileSync(join(folder, 'deno.js'), 'utf8')
    .replace('Deno.serve(', 'export default { fetch: (')
    .replace(/\);\s*$/, ') };\n');

const NETLIFY = `globalThis.Netlify = { env: { get: (name) => Deno.env.get(name) } };
const { default: answer } = await import('./netlify/edge-functions/catalogue.js');
export default { fetch: (request) => answer(request, { waitUntil: () => {} }) };
`;

async function startPages(edge: string, directory: string): Promise<RunningServer> {
  const { Miniflare } = await import('miniflare');
  const [main, name] = [join(edge, 'main.js'), 'functions/[[path]].js'];
  const modules = [name, 'worker.js'].map((path) => ({
    type: 'ESModule' as const,
    path: join(edge, path),
    contents: readFileSync(join(edge, path), 'utf8'),
  }));
  const contents = `import { onRequest } from './${name}';
export default { fetch: (request, env, context) => onRequest({ request, env, waitUntil: (one) => context.waitUntil(one) }) };`;
  return running(
    new Miniflare({
      ...LISTENING,
      name: 'catalogue',
      compatibilityDate,
      modulesRoot: edge,
      modules: [{ type: 'ESModule', path: main, contents }, ...modules],
      assets: {
        workerName: 'catalogue',
        directory,
        binding: 'ASSETS',
        routerConfig: { invoke_user_worker_ahead_of_assets: true, has_user_worker: true },
      },
    }),
  );
}

/** Objects of a bucket as files of a folder. */
function filesOf(root: string, objects: ReadonlyMap<string, Buffer>): string {
  const folder = join(root, 'bucket');
  for (const [key, body] of objects) {
    mkdirSync(join(folder, key, '..'), { recursive: true });
    writeFileSync(join(folder, key), body);
  }
  return folder;
}

/** As {@link useS3}, for Google Cloud Storage. */
async function useGoogle(): Promise<() => Promise<Map<string, Buffer>>> {
  const google = await serveGoogle();
  process.env.CATALOGUE_ENDPOINT = google.endpoint;
  onTestFinished(() => void delete process.env.CATALOGUE_ENDPOINT);
  return async () => new Map([...google.objects].map(([key, { body }]) => [key, body]));
}

/** Starts S3, to which the commands of a page publish. Returns what reads all of its objects. */
async function useS3(): Promise<() => Promise<Map<string, Buffer>>> {
  const s3 = await startS3();
  onTestFinished(s3.stop);
  process.env.CATALOGUE_ENDPOINT = s3.endpoint;
  onTestFinished(() => void delete process.env.CATALOGUE_ENDPOINT);
  return async () => {
    const { bucket, close } = s3.open('live');
    onTestFinished(close);
    const objects = new Map<string, Buffer>();
    for await (const batch of bucket.list(''))
      for (const { key } of [batch].flat()) objects.set(key, (await bucket.read(key))!.body);
    return objects;
  };
}

type Way = {
  readonly needs?: readonly Program[];
  /** Path of the base URL. */
  readonly path?: string;
  /** Before the commands: a store, which they publish to. */
  readonly before?: (sandbox: Sandbox) => Promise<() => Promise<ReadonlyMap<string, Buffer>>>;
  readonly start: (
    sandbox: Sandbox,
    input: Input,
    objects: ReadonlyMap<string, Buffer>,
  ) => Promise<RunningServer>;
  /** Commands of others that the page has. */
  readonly says: readonly RegExp[];
};

const server = (name: string) => (sandbox: Sandbox) => join(sandbox.root, 'srv/catalogue', name);
const workOf = ({ root }: Sandbox) => {
  mkdirSync(join(root, 'work'));
  return join(root, 'work');
};

const WAYS: Readonly<Record<string, Way>> = {
  nginx: {
    needs: [...nginxNjsServer.needs, RSYNC],
    start: (sandbox) => {
      const edge = server('nginx-njs')(sandbox);
      const enabled = readFileSync(join(sandbox.root, 'etc/nginx/sites-enabled/catalogue'), 'utf8');
      expect(enabled).toBe(readFileSync(join(edge, 'site.conf'), 'utf8'));
      const fixture = fixtureOf(server('public')(sandbox));
      return nginxNjsServer.start({ root: server('public')(sandbox), edge, work: workOf(sandbox), fixture });
    },
    says: [/^apt-get install nginx libnginx-mod-http-js/, /^nginx -t$/, /^systemctl reload nginx$/],
  },
  apache: {
    needs: [...apacheServer.needs, RSYNC],
    start: (sandbox) => {
      const root = server('public')(sandbox);
      expect(readdirSync(join(sandbox.root, 'etc/apache2/sites-available'))).toEqual(['catalogue.conf']);
      const edge = join(sandbox.folder, 'dist/edge/apache');
      return apacheServer.start({ root, edge, work: workOf(sandbox), fixture: fixtureOf(root) });
    },
    says: [/^apt-get install apache2 rsync /, /^a2enmod rewrite headers include$/, /^a2ensite catalogue$/],
  },
  node: {
    needs: [RSYNC],
    start: async (sandbox) => {
      const folder = server('')(sandbox);
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(ROOT, join(folder, 'node_modules/property-catalogue'));
      const port = await freePort();
      const program = readFileSync(join(folder, 'server.mjs'), 'utf8').replace('8080', String(port));
      writeFileSync(join(folder, 'server.mjs'), program);
      return startProgram(process.execPath, ['server.mjs'], port, { cwd: folder });
    },
    says: [],
  },
  'cloudflare-workers': {
    start: ({ folder, said }, { root }) => {
      const [, path = ''] = / --config (\S+)\/wrangler\.jsonc --name stays$/.exec(said().at(-1)!)!;
      return startAssets(join(folder, path), root);
    },
    says: [/^npx wrangler login$/, /^npx wrangler deploy --config /],
  },
  'cloudflare-pages': {
    start: ({ folder, said }) => {
      const [, files = '', edge = ''] = / deploy (\S+) --project-name stays --cwd (\S+)$/.exec(
        said().at(-1)!,
      )!;
      return startPages(join(folder, edge), join(folder, edge, files));
    },
    says: [/^npx wrangler pages project create stays /],
  },
  'r2-worker': {
    before: useS3,
    start: (sandbox, _input, files) => {
      const settings = JSON.parse(readFileSync(join(sandbox.folder, 'wrangler.jsonc'), 'utf8'));
      const edge = join(sandbox.folder, settings.main, '..');
      const fixture = { ...fixtureOf(join(sandbox.folder, 'dist/public')), files: new Map(files) };
      return workerServer.start({ root: '', edge, work: workOf(sandbox), fixture });
    },
    says: [/^npx wrangler r2 bucket create stays-live$/, /^npx wrangler deploy$/],
  },
  's3-cloudfront': {
    before: useS3,
    start: ({ root }, { edge }, files) => {
      const bucket = filesOf(root, files);
      return lambdaServer.start({ root: bucket, edge, work: '', fixture: fixtureOf(bucket, 'packed') });
    },
    says: [/^aws s3api create-bucket /],
  },
  gcs: {
    before: useGoogle,
    start: async (_sandbox, { edge }, files) =>
      startDeno(edge, deno(edge), await serveOrigin(new Map(files))),
    says: [/^gcloud storage hmac create /, /^gcloud run deploy stays .*CATALOGUE_ORIGIN=/],
  },
  azure: {
    before: async () => {
      const azure = await serveAzure();
      onTestFinished(azure.close);
      process.env.CATALOGUE_ENDPOINT = azure.endpoint;
      onTestFinished(() => void delete process.env.CATALOGUE_ENDPOINT);
      await azure.service.getContainerClient('stays').setAccessPolicy('blob');
      return async () => new Map([['origin', Buffer.from(`${azure.endpoint}/stays`)]]);
    },
    start: (_sandbox, { edge }, files) => startDeno(edge, deno(edge), files.get('origin')!.toString()),
    says: [/^npm install @azure\/storage-blob$/, /^az containerapp up .*CATALOGUE_ORIGIN=/],
  },
  netlify: {
    start: async ({ root }, input) => {
      const handler = join(root, 'stays-handler');
      expect(readdirSync(handler)).toEqual(expect.arrayContaining(['handler.js', 'netlify']));
      return startDeno(handler, NETLIFY, await serveOrigin(fixtureOf(input.root).files));
    },
    says: [
      /^npx netlify-cli@23 env:set CATALOGUE_ORIGIN /,
      /^npx netlify-cli@23 deploy .* --dir \. --site x$/,
    ],
  },
  'deno-vercel': {
    before: useGoogle,
    start: async (_sandbox, { edge }, files) =>
      startDeno(edge, deno(edge), await serveOrigin(new Map(files))),
    says: [
      /^deno run --allow-net --allow-env dist\/edge\/fetch-handler\/deno\.js$/,
      /^npx vercel deploy --prod$/,
    ],
  },
};

/** Pages of servers that read files at each request. */
const SERVED = ['nginx', 'apache'];

/** Moves the only property to another city, and publishes with the steps of the pipeline, as a machine that has nothing. */
async function publishAgain(sandbox: Sandbox): Promise<void> {
  const { folder } = sandbox;
  const workflow = readFileSync(join(folder, '.github/workflows/publish.yml'), 'utf8');
  const steps = workflow.match(/^ +(?:rsync|npx catalogue publish|if \[ -d dist).*$/gm)!;
  await follow(
    `rm -r stays-live
sed -i 's/^city: .*/city: Ballybunion/' content/properties/*/*.yaml
git add --all
git commit --quiet --message 'Start'
SERVER=${server('public')(sandbox)}
npx catalogue build --as-of now
${steps.join('\n')}`,
    sandbox,
    folder,
  );
}

async function begin(page: string, context: TestContext, { needs = [], path = '', before }: Partial<Way>) {
  await skipWithout([...needs], context);
  const sandbox = await openSandbox(path);
  const read = (await before?.(sandbox)) ?? (async () => new Map<string, Buffer>());
  const script = scriptOf(page, 'Set up', sandbox);
  // Some publish before their first commit.
  await follow(SERVED.includes(page) ? script.replace(/^git .*$/m, '') : script, sandbox);
  return { sandbox, objects: await read() };
}

it.for(Object.entries(WAYS))(
  '%s answers as its page says',
  { timeout: 600_000 },
  async ([page, way], context) => {
    const { sandbox, objects } = await begin(page, context, way);
    for (const line of way.says) expect(sandbox.said()).toContainEqual(expect.stringMatching(line));
    const dist = join(sandbox.folder, 'dist');
    const [target = ''] = existsSync(join(dist, 'edge')) ? readdirSync(join(dist, 'edge')) : [];
    const input = { root: join(dist, 'public'), edge: join(dist, 'edge', target) };
    const running = await way.start(sandbox, input, objects);
    sandbox.lead(running);
    const list = `${sandbox.url}/api/v1/public/properties`;
    const { data } = (await (await fetch(`${list}?filter[country]=IE`)).json()) as Page;
    expect(data.map(({ title }) => title)).toEqual(['Rose Cottage']);
    expect((await fetch(`${list}?filter[contry]=IE`)).status).toBe(400);
    expect(await follow('catalogue verify --out dist', sandbox, sandbox.folder)).toContain('no differences');
    const text = readFileSync(join(ROOT, 'docs/hosting', `${page}.md`), 'utf8').split(
      '\n## What you should see\n',
    )[1];
    expect(text).toContain('catalogue verify --out dist');
    const { scripts } = JSON.parse(readFileSync(join(sandbox.folder, 'package.json'), 'utf8'));
    if (scripts.publish && HOST_NAMES.some((name) => name === page && !publishesToBucket(name)))
      await expect(follow(scripts.publish, sandbox, sandbox.folder)).rejects.toThrow(`hosting/${page}.md`);
    if (page === 'nginx' && HAS_IPV6)
      expect((await fetch(`http://[::1]:${running.port}/api/v1/public/properties`)).status).toBe(200);
    if (!SERVED.includes(page)) return;
    await publishAgain(sandbox);
    const titlesIn = async (city: string) => {
      const response = await fetch(`${list}?filter[city]=${city}`);
      return ((await response.json()) as Page).data.map(({ title }) => title);
    };
    expect([await titlesIn('Ballybunion'), await titlesIn('Seaview')]).toEqual([['Rose Cottage'], []]);
    // Apache sends a weak entity tag for a file that is younger than a second.
    await pause(1100);
    expect(await follow('catalogue verify --out dist', sandbox, sandbox.folder)).toContain('no differences');
    if (page !== 'apache') return;
    const link = `_catalogue/pages/-/~${createHash('sha1').update('Seaview').digest('hex')}`;
    const left = join(server('public')(sandbox), link);
    expect(lstatSync(left, { throwIfNoEntry: false })).toBeUndefined();
    symlinkSync('gone', left);
    expect(await titlesIn('Seaview')).toEqual([]);
  },
);

it.for(['github-pages', 'gitlab-pages'])(
  '%s serves files as its page says',
  { timeout: 600_000 },
  async (page, context) => {
    const { sandbox } = await begin(page, context, { path: '/stays' });
    const { port } = new URL(await serveFiles(join(sandbox.folder, 'dist/public'), '/stays'));
    sandbox.lead({ port: Number(port), stop: async () => {} });
    const said = await follow(scriptOf(page, 'What you should see', sandbox), sandbox, sandbox.folder);
    expect(said).toContain('no differences');
    expect(said).toContain('This host only serves files');
    expect(said).toContain('"title":"Rose Cottage"');
  },
);

it('s3-cloudfront with a CloudFront Function answers as its page says', {
  timeout: 600_000,
}, async (context) => {
  await skipWithout(cloudfrontServer.needs, context);
  const sandbox = await openSandbox('');
  const read = await useS3();
  const [init = ''] = scriptOf('s3-cloudfront', 'Set up', sandbox).split('aws ');
  const settings = readFileSync(join(ROOT, 'docs/hosting/s3-cloudfront.md'), 'utf8').split(
    '## With a CloudFront Function',
  )[1]!;
  const lines = [...settings.split('\n## ')[0]!.matchAll(/`((?:layout|page_sizes|targets): [^`]+)`/g)].map(
    ([, line]) => line,
  );
  expect(lines).toHaveLength(3);
  const more = `cat >> content/catalogue.yaml <<'END'\n${lines.join('\n')}\nEND\ncatalogue build\ncatalogue publish s3://stays/live\n`;
  await follow(init + more, sandbox);
  const bucket = filesOf(sandbox.root, await read());
  const edge = join(sandbox.folder, 'dist/edge/cloudfront-function');
  sandbox.lead(
    await cloudfrontServer.start({ root: bucket, edge, work: workOf(sandbox), fixture: fixtureOf(bucket) }),
  );
  const { release } = await openDist(join(sandbox.folder, 'dist'));
  const response = await fetch(`${sandbox.url}/api/v1/public/properties?filter[city]=Seaview`);
  expect(((await response.json()) as Page).data).toHaveLength(release.root.total);
});
