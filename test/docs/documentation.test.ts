/** The documentation: generated parts are current, commands and programs work, links lead to existing targets. */
import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import {
  configurationTable,
  diagnosticsPage,
  generatedPages,
  withGenerated,
} from '../../scripts/make-docs.ts';
import { createClient } from '../../src/client/index.ts';
import { createSearch } from '../../src/client/search.ts';
import { authoredSchema, authoredSchemaOf } from '../../src/contract/authored.ts';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { foldText } from '../../src/contract/sort-order.ts';
import { declaredTerms } from '../../src/contract/terms.ts';
import { ENVIRONMENT_ERRORS, USAGE_ERRORS } from '../../src/errors/codes.ts';
import { FILE_ERRORS } from '../../src/errors/file-error.ts';
import { createClone, ROOT } from '../support/clone.ts';
import { missingPrograms } from '../support/programs.ts';
import { serveCatalogue } from '../support/served-catalogue.ts';

const DOCS = join(ROOT, 'docs');
/** Pages whose commands need a cloud, a repository (publishing-guide.test.ts), Docker or an hour. */
const ELSEWHERE = new Set([
  'automation.md',
  'publishing.md',
  'releases.md',
  'performance.md',
  'reviewing.md',
]);
/** Commands that a test cannot run, because they start the tests themselves. */
const STARTS = new Set(['npm ci', 'npm start']);
/** Commands that ask questions on a terminal: test/editing/commands.test.ts answers them. */
const ASKS = new Set(['catalogue new']);

const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const read = (name: string) => readFileSync(join(DOCS, name), 'utf8');
/** The blocks of a language in a page. */
const blocks = (name: string, language: string) =>
  [...read(name).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text]) => text!,
  );

const run = promisify(execFile);
const catalogue = await serveCatalogue();
await missingPrograms([{ program: '/usr/bin/jq', package: 'jq' }]);
let folder: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  // A folder like a clone, with `catalogue` on the path.
  folder = createClone(['docs']);
  cpSync(join(ROOT, 'content'), join(folder, 'content'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/catalogue'), `#!/bin/sh\nexec node "${ROOT}/lib/cli.js" "$@"\n`, {
    mode: 0o755,
  });
  const path = [join(folder, 'bin'), join(ROOT, 'node_modules/.bin'), process.env.PATH].join(':');
  environment = { ...process.env, PATH: path };
});

describe('generated documentation', () => {
  it.each([...generatedPages()])('%s is current: npx tsx scripts/make-docs.ts', (name, text) => {
    expect(read(name)).toBe(text);
  });

  it('cannot be made when a part of the code is not documented', () => {
    const schema = z.strictObject({
      known: z.string().meta({ description: 'x' }),
      other: z.string().optional(),
    });
    expect(() => configurationTable(schema)).toThrow('other has no description');
    const entry = {
      severity: 'error',
      message: () => '',
      help: () => '',
      example: 'x',
      repaired: 'x',
    } as const;
    expect(() => diagnosticsPage({ odd: { ...entry, explanation: ' ' } })).toThrow('odd has no explanation');
    expect(() => withGenerated('no markers', 'x', '')).toThrow('There are no markers for x');
  });

  it('shows the message of every error whose code is thrown with one, and no code that is never thrown', () => {
    const words = new Set<string>();
    for (const name of readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name === 'error-codes.ts') continue;
      for (const [, word = ''] of readFileSync(join(ROOT, 'src', name), 'utf8').matchAll(/'([\w-]+)'/gm))
        words.add(word);
    }
    const page = read('errors.md');
    for (const code of Object.keys({ ...USAGE_ERRORS, ...ENVIRONMENT_ERRORS })) {
      expect([code, words.has(code) || code in FILE_ERRORS || code === 'failed']).toEqual([code, true]);
      expect(page).toContain(`### ${code}\n`);
    }
    expect(page).toContain('### no-content\n\n> There is no content folder at ….');
  });

  it('has every setting of the schema', () => {
    const table = configurationTable();
    for (const key of Object.keys(configurationSchema.shape))
      expect(table).toMatch(new RegExp(`\`${key}[.\`]`));
  });
});

describe('a link', () => {
  const documents = [
    ...pages.map((name) => join('docs', name)),
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
  ];

  it.each(documents)('of %s leads to an existing page or heading', (name) => {
    const text = readFileSync(join(ROOT, name), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) {
        expect(() => new URL(target)).not.toThrow();
        continue;
      }
      const [path = '', fragment] = target.split('#');
      const file = join(ROOT, dirname(name), path);
      expect(existsSync(path ? file : join(ROOT, name)), `${name}: ${target}`).toBe(true);
      if (!fragment) continue;
      const page = readFileSync(path ? file : join(ROOT, name), 'utf8');
      expect(anchors(page), `${name}: ${target}`).toContain(fragment);
    }
  });

  it('leads to a page with a unique title (G)', () => {
    const titles = pages.map((name) => read(name).split('\n', 1)[0]);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  it('chain from the README reaches every page', () => {
    const reached = new Set<string>();
    const follow = (path: string) => {
      for (const [, target = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(
        /\]\(([^)#\s]+\.md)(?:#[^)]*)?\)/g,
      )) {
        const next = join(dirname(path), target);
        if (/^https?:/.test(target) || reached.has(next)) continue;
        reached.add(next);
        follow(next);
      }
    };
    follow('README.md');
    for (const name of pages) expect([...reached], name).toContain(join('docs', name));
  });

  it('leads to pages that are read in a few minutes, and all of them are little (58)', () => {
    const generated = [
      ...['commands.md', 'conformance.md', 'configuration.md', 'diagnostics.md', 'errors.md', 'fields.md'],
      ...['glossary.md', 'measurements.md'],
    ];
    const reference = [...generated, 'api.md', 'mapping.md', 'targets.md'];
    const written = pages.filter((name) => !generated.includes(name));
    for (const name of pages.filter((name) => !reference.includes(name)))
      expect([name, read(name).split(/\s+/).length <= 1200]).toEqual([name, true]);
    const parts = /<!-- (?:generated: [\w ]+|\w+: written by a script) -->.*?<!-- (?:end|\/\w+) -->/gs;
    const sizes = written.map((name) => Buffer.byteLength(read(name).replace(parts, '')));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(150_000);
  });
});

/** The fragments of headings on the site where the pages are read. */
function anchors(page: string): string[] {
  const headings = page.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, title = '']) =>
    foldText(title)
      .replace(/[^\w\- ]/g, '')
      .replace(/ /g, '-'),
  );
}

describe('commands', () => {
  const shown = pages
    .filter((name) => !ELSEWHERE.has(name) && !name.startsWith('hosting/'))
    .flatMap((name) => {
      const scripts = blocks(name, 'sh');
      return scripts.length > 0 ? [[name, scripts] as const] : [];
    });

  it('are shown in every guide', () => {
    expect(shown.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'quick-start.md',
        'authoring.md',
        'editing-commands.md',
        'configuration.md',
        'api.md',
      ]),
    );
  });

  it.each(shown)('of %s work', async (_name, scripts) => {
    for (const script of scripts) {
      const here = script.replaceAll('http://localhost:8080', catalogue.url);
      if (/^catalogue (?:serve|dev)/.test(here)) await serves(here);
      // Each of several commands must print something; a longer script may work quietly.
      else for (const command of isLines(here) ? here.trim().split('\n') : [here]) await works(command);
    }
  });

  const isLines = (script: string) =>
    script.split('\n').every((line) => !line || /^(?:curl|npm|npx|sh|python3) /.test(line));

  async function works(command: string): Promise<void> {
    if (STARTS.has(command) || ASKS.has(command.trim())) return;
    const script = `curl() { command curl -f "$@"; }\n${command}`;
    const { stdout, stderr } = await run('bash', ['-eu', '-c', script], { cwd: folder, env: environment });
    expect(stdout || stderr, command).not.toBe('');
  }

  /** Starts a server as the page shows, sends it a request, and stops it. */
  async function serves(script: string): Promise<void> {
    const child = spawn('bash', ['-c', `exec ${script.replace(/--port \d+/, '--port 0')}`], {
      cwd: folder,
      env: environment,
    });
    const said = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout.on('data', (data) => {
        text += data;
        if (text.includes('Press Ctrl+C')) resolve(text);
      });
      child.once('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)));
    });
    const url = said.match(/http:\S+/g)?.at(-1) ?? '';
    // The page for editing first asks the browser for the token behind the "#".
    const expected = url.includes('/_edit/#') ? 401 : 200;
    await expect.poll(async () => (await fetch(url)).status).toBe(expected);
    await expect.poll(async () => (await fetch(new URL('/', url))).status).toBe(200);
    child.kill('SIGTERM');
  }

  it('of the start script run a build', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(scripts.start).toContain('lib/cli.js build');
  });
});

describe('programs', () => {
  const LANGUAGES = { ts: 'tsx', py: 'python3', sh: 'sh' };

  const outputOf = (extension: string, country: string) =>
    run(
      LANGUAGES[extension as 'ts'],
      [join(DOCS, `programs/properties.${extension}`), catalogue.url, country],
      {
        env: environment,
        cwd: ROOT,
      },
    ).then(
      ({ stdout }) => ({ status: 0, output: stdout }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ status: code, output: stderr }),
    );

  it('have at most twenty lines', () => {
    const names = readdirSync(join(DOCS, 'programs')).filter((name) => name.startsWith('properties.'));
    expect(names).toHaveLength(Object.keys(LANGUAGES).length);
    for (const name of names) {
      expect(
        readFileSync(join(DOCS, 'programs', name), 'utf8')
          .trimEnd()
          .split('\n').length,
      ).toBeLessThanOrEqual(20);
    }
  });

  it('print the same in every language', async () => {
    for (const country of ['IE', 'GR', 'ZZ']) {
      const [ts, py, sh] = await Promise.all(
        Object.keys(LANGUAGES).map((language) => outputOf(language, country)),
      );
      expect(ts?.status).toBe(0);
      expect(ts?.output).toMatch(new RegExp(`^${country}: \\d+\n`));
      expect(ts?.output.trimEnd().split('\n')).toHaveLength(country === 'ZZ' ? 1 : 6);
      expect([py, sh]).toEqual([ts, ts]);
    }
  });

  it('search as the client does', async () => {
    const search = createSearch(createClient({ baseUrl: catalogue.url }));
    for (const [country, facility, bedrooms] of [
      ['ES', 'kitchen', 2],
      ['IE', 'wifi', 0],
      ['IE', 'nothing', 0],
    ] as const) {
      const args = [join(DOCS, 'programs/search.sh'), catalogue.url, country, facility, String(bedrooms)];
      const { stdout } = await run('sh', args, { env: environment, cwd: ROOT });
      const filter = bedrooms > 0 ? { bedrooms: { minimum: bedrooms } } : {};
      const size = Number.POSITIVE_INFINITY;
      const { data } = await search({ country, facilities: [facility], filter, size });
      expect(stdout).toBe(data.map(({ title, city }) => `${title}, ${city}\n`).join(''));
      expect(data.length > 0).toBe(facility !== 'nothing');
    }
  });

  it('give the same error', async () => {
    const [ts, py, sh] = await Promise.all(
      Object.keys(LANGUAGES).map((language) => outputOf(language, 'Ireland')),
    );
    expect(ts).toEqual({
      status: 1,
      output:
        'invalid-country: filter[country] must be two upper-case letters, an ISO 3166-1 alpha-2 code such as IE.\n',
    });
    expect([py, sh]).toEqual([ts, ts]);
  });
});

describe('an example', () => {
  it('of a response in api.md is one, without some entries of lists', async () => {
    const [list = '', detail = ''] = blocks('api.md', 'sh').map((script) => /http[^'\s]+/.exec(script)![0]);
    const requests = [list, detail, `${list.replace(/\?.*/, '')}?filter[country]=Ireland`];
    const shown = blocks('api.md', 'json').map((text) => JSON.parse(text));
    for (const [index, request] of requests.entries()) {
      const response = await fetch(request.replace('http://localhost:8080', catalogue.url));
      const received = (await response.json()) as Record<string, unknown>;
      expect(Object.keys(shown[index])).toEqual(Object.keys(received));
      for (const [name, value] of Object.entries(shown[index]))
        expect(received[name]).toEqual(
          Array.isArray(value) && index > 0 ? expect.arrayContaining(value) : value,
        );
    }
  });

  it('of YAML is what the page calls it', () => {
    const asText = (yaml: string) => parse(yaml, { schema: 'failsafe' });
    for (const name of ['configuration.md', 'explorer.md'])
      for (const yaml of blocks(name, 'yaml')) configurationSchema.parse(asText(yaml));
    let schema = authoredSchema;
    // Later examples are lines of the file in the first one.
    const [whole = '', ...parts] = blocks('authoring.md', 'yaml');
    for (const yaml of [whole, ...parts]) {
      const isSetting = /^(?:vocabulary|fields|languages):/.test(yaml);
      if (!isSetting) schema.parse({ ...asText(whole), ...asText(yaml) });
      else if (yaml.startsWith('languages:'))
        schema = authoredSchemaOf(declaredTerms(configurationSchema.parse(asText(yaml))).fields);
      else configurationSchema.parse(asText(yaml));
    }
  });
});
