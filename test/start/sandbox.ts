/** Folders and programs in place of the machines that a page of `docs/hosting/` names. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import type { RunningServer } from '../conformance/server.ts';
import { ROOT } from '../support/clone.ts';
import { serveLoopback } from '../support/loopback.ts';
import { CLI } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** The machines of a page: an owner's, a server's folders, and the address that readers ask. */
export type Sandbox = {
  readonly root: string;
  /** The catalogue. */
  readonly folder: string;
  readonly url: string;
  /** Commands other than those of the catalogue, in order. */
  readonly said: () => string[];
  /** Lets the address lead to a server. */
  readonly lead: (server: RunningServer) => void;
};

export async function openSandbox(path: string): Promise<Sandbox> {
  const root = temporaryFolder();
  chmodSync(root, 0o755);
  let port = 0;
  const origin = await serveLoopback(({ method, url, headers }, outgoing) => {
    const call = send({ host: '127.0.0.1', port, path: url, method, headers }, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers);
      response.pipe(outgoing);
    });
    call.on('error', () => outgoing.destroy());
    call.end();
  });
  for (const name of ['bin', 'srv', 'etc/nginx/sites-enabled', 'etc/apache2/sites-available'])
    mkdirSync(join(root, name), { recursive: true });
  const said = join(root, 'said');
  const record = `echo "$(basename "$0") $*" >> ${said}\n`;
  const tool = `exec ${process.execPath} ${CLI} "$@"`;
  const npx = `case "$1" in
property-catalogue) shift; ${tool} --yes --no-install ;;
catalogue) shift; ${tool} ;;
esac
${record}`;
  const stubs = [
    'apt-get',
    'a2enmod',
    'a2ensite',
    'certbot',
    'systemctl',
    'nginx',
    'chown',
    'npm',
    'aws',
    'gcloud',
    'az',
    'deno',
  ];
  const programs = {
    npx,
    catalogue: tool,
    scp: 'exec cp "$@"',
    ...Object.fromEntries(stubs.map((name) => [name, record])),
  };
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return {
    root,
    folder: join(root, 'stays'),
    url: origin + path,
    said: () => (existsSync(said) ? readFileSync(said, 'utf8').trim().split('\n') : []),
    lead: (server) => {
      onTestFinished(server.stop);
      ({ port } = server);
    },
  };
}

/** Files that a page shows: what they are named where a block of this language has this text. */
const FILES: readonly (readonly [language: string, part: string, write: string])[] = [
  ['yaml', 'layout:', '>> content/catalogue.yaml'],
  ['json', '"r2_buckets"', '> wrangler.jsonc'],
  ['text', 'createHandler', '> /srv/catalogue/server.mjs'],
];

/** The script of a section of a page, with the folders and addresses of a sandbox. */
export function scriptOf(page: string, title: string, { root, url }: Sandbox): string {
  const text = readFileSync(join(ROOT, 'docs/hosting', `${page}.md`), 'utf8');
  // What follows a list of remarks is for who wants it.
  const section = text.split(`\n## ${title}\n`)[1]!.split(/\n## |\n- \*\*/)[0]!;
  const blocks = [...section.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm)].flatMap(
    ([, indent, language, body = '']) => {
      const lines = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      if (language === 'sh') return [lines];
      const file = FILES.find(([kind, part]) => kind === language && lines.includes(part));
      return file ? [`cat ${file[2]} <<'END'\n${lines}END\n`] : [];
    },
  );
  return (
    blocks
      .join('')
      // Accounts are the test's own.
      .replace(/^export .*$/gm, '')
      .replace(
        /https:\/\/(?:stays\.(?:example|pages\.dev|netlify\.app|<account>\.workers\.dev)|<\w+>\.git(?:hub|lab)\.io\/stays)/g,
        url,
      )
      .replaceAll('s3://stays-live', 's3://stays/live')
      .replaceAll('gs://stays-live', 'gs://stays')
      .replaceAll('az://catalogue', 'az://stays')
      .replace(/ --endpoint \S+/g, '')
      .replace(/(?<=\s)server:/g, '')
      .replace(/(?<=\s)\/(srv|etc)\//g, `${root}/$1/`)
      .replace(/<[\w -]+>/g, 'x')
  );
}

/** Runs a script as an owner does. Returns what it said. */
export async function follow(script: string, { root }: Sandbox, cwd = root): Promise<string> {
  const who = { GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x@x.example' };
  const committer = { GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x@x.example' };
  const env = { ...process.env, ...who, ...committer, PATH: `${join(root, 'bin')}:${process.env.PATH}` };
  const { stdout, stderr } = await promisify(execFile)('bash', ['-euxo', 'pipefail', '-c', script], {
    cwd,
    env,
  });
  return stdout + stderr;
}
