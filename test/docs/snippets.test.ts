/** Every documented program that imports the package works with the package installed in another folder (B2). */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transformWithOxc } from 'vite';
import { describe, expect, it } from 'vitest';
import { sound, yaml } from '../compile/workspace.ts';
import { freePort } from '../conformance/server.ts';
import { ROOT } from '../support/clone.ts';
import { installPackage } from '../support/installed-package.ts';
import { serveCatalogue } from '../support/served-catalogue.ts';

const DOCS = join(ROOT, 'docs');
const LIST = '/api/v1/public/properties';

type Snippet = { readonly name: string; readonly language: string; readonly text: string };

/** The programs of the documentation that use the package. */
function snippets(): Snippet[] {
  const pages = [...readdirSync(DOCS).map((name) => join(DOCS, name)), join(ROOT, 'README.md')];
  const blocks = pages
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/^```(ts|js|mjs)\n([\s\S]*?)^```$/gm)].map(
        ([, language = '', text = ''], index) => ({
          name: `${path.slice(ROOT.length)} ${index + 1}`,
          language,
          text,
        }),
      ),
    );
  const programs = readdirSync(join(DOCS, 'programs')).map((name) => ({
    name: `docs/programs/${name}`,
    language: name.slice(name.lastIndexOf('.') + 1),
    text: readFileSync(join(DOCS, 'programs', name), 'utf8'),
  }));
  return [...blocks, ...programs].filter(({ text }) => text.includes("'property-catalogue"));
}

/** The output of each program; a server prints nothing. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  'docs/client.md 1': /^\d+\n.+ \+353.*\ngone\n$/,
  'docs/client.md 2': /^\d{3}\n$/,
  'docs/client.md 3': /^.+\n$/,
  'docs/client.md 4': /^\{"@context":"https:\/\/schema.org".+\}\n$/,
  'docs/library.md 1': /^1 checked\npublished 1\n$/,
  'docs/library.md 3': /^.+\n0 0 0\n3\n$/,
  'docs/library.md 4': /^_catalogue\/pages\/IE\/-\/25-1\.json\n$/,
  'docs/library.md 5': /^3\.1\.0\n$/,
  'docs/library.md 6': /^no-content\n$/,
  'docs/search.md 1': /^\d+ \[/,
  'docs/programs/properties.ts': /^IE: \d+\n(?:.+\n){5}$/,
};

const { folder } = await installPackage();
symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'));
const catalogue = await serveCatalogue();
mkdirSync(join(folder, 'dist'));
symlinkSync(catalogue.root, join(folder, 'dist/public'));
mkdirSync(join(folder, 'content'));
writeFileSync(join(folder, 'content/house.yaml'), yaml(sound(1)));

/** Checks the types of a program, as a consumer's compiler does. */
function check(file: string): string {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    allowJs: true,
    checkJs: true,
    types: ['node'],
    skipLibCheck: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  try {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    return execFileSync(process.execPath, [tsc, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

describe('a documented program works with the packed package (B2)', () => {
  const all = snippets();

  it('exists for each entry of the package', () => {
    expect(all.some(({ text }) => text.includes("'property-catalogue'"))).toBe(true);
    const imports = all.flatMap(({ text }) =>
      [...text.matchAll(/^import \{ (.+) \} from 'property-catalogue'/gm)].flatMap(([, names = '']) =>
        names.split(', '),
      ),
    );
    const exported = readFileSync(join(ROOT, 'src/index.ts'), 'utf8');
    for (const [, names = ''] of exported.matchAll(/^export \{ (.+) \} from/gm))
      for (const name of names.split(', ').filter((name) => !name.startsWith('type ')))
        expect(imports).toContain(name);
    expect(all.filter(({ text }) => text.includes("'property-catalogue/client'")).length).toBeGreaterThan(2);
  });

  it.each(all.map((snippet) => [snippet.name, snippet] as const))('%s', async (name, { language, text }) => {
    const port = await freePort();
    const program = text
      .replaceAll('http://localhost:8080', catalogue.url)
      .replaceAll('.listen(8080)', `.listen(${port})`);
    const file = `program.${language}`;
    writeFileSync(join(folder, file), program);
    expect(check(file)).toBe('');
    const { code } = await transformWithOxc(program, file);
    writeFileSync(join(folder, 'run.mjs'), code);
    if (text.includes('.listen(')) await serves(`http://127.0.0.1:${port}`);
    else {
      const { stdout } = await promisify(execFile)(process.execPath, ['run.mjs', catalogue.url], {
        cwd: folder,
      });
      expect(stdout).toMatch(PRINTS[name] ?? expect.unreachable(`What does ${name} print?`));
    }
  });
});

/** Runs the program until it answers the list as the catalogue does. */
async function serves(url: string): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, ['run.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  try {
    const path = `${LIST}?page[size]=25`;
    const asked = async (): Promise<Response> => {
      for (;;) {
        if (child.exitCode !== null) throw new Error(errors);
        const response = await fetch(url + path).catch(() => undefined);
        if (response) return response;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    expect(await (await asked()).text()).toBe(await (await fetch(catalogue.url + path)).text());
  } finally {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}
