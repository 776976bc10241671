/**
 * Follows the recipes of CONTRIBUTING.md in a scratch copy of the project. `test/contributing/<recipe>/` has the files that a
 * newcomer adds, at their paths (TypeScript with `.txt` behind its name), and in `edits.json` the lines that go into
 * existing files.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from './support/temporary.ts';

const ROOT = resolve(import.meta.dirname, '..');
const RECIPES = join(ROOT, 'test/contributing');

type Edit = { file: string; before: string; insert: string };

let scratch: string;

beforeEach(() => {
  scratch = temporaryFolder();
  for (const name of ['src', 'test', 'scripts', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    cpSync(join(ROOT, name), join(scratch, name), {
      recursive: true,
      filter: (path) => path !== RECIPES,
    });
  symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'));
});

/** The files and edits that a recipe requires. */
function readRecipe(name: string): { added: string[]; edits: Edit[] } {
  const files = readdirSync(join(RECIPES, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'edits.json')
    .map((entry) => join(entry.parentPath, entry.name).slice(join(RECIPES, name).length + 1))
    .map((path) => path.replace(/\.txt$/, ''));
  const edits = JSON.parse(readFileSync(join(RECIPES, name, 'edits.json'), 'utf8')) as Edit[];
  return { added: files, edits };
}

function add(recipe: string, path: string): void {
  const source = join(RECIPES, recipe, path.endsWith('.ts') ? `${path}.txt` : path);
  cpSync(source, join(scratch, path), { recursive: true });
}

function edit({ file, before, insert }: Edit): void {
  const path = join(scratch, file);
  const text = readFileSync(path, 'utf8');
  const at = text.indexOf(`\n${before}`);
  expect([file, before, at > 0]).toEqual([file, before, true]);
  writeFileSync(path, `${text.slice(0, at)}\n${insert}${text.slice(at)}`);
}

/** The output of the type compiler: lines that name a file; empty without errors. */
function typeErrors(): string[] {
  const { stdout } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), '--noEmit'],
    {
      cwd: scratch,
      encoding: 'utf8',
    },
  );
  return stdout.split('\n').filter((line) => /error TS/.test(line));
}

/** The files that a section of CONTRIBUTING.md names first in its numbered lines. */
function filesOf(title: string, name: string): string[] {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const section = text.split(`\n### ${title}\n`)[1]!.split(/\n##/)[0]!;
  return [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path]) => path!.replaceAll('<name>', name));
}

it('a serving target needs exactly the files of its recipe, and the compiler asks for its entry', () => {
  const { added, edits } = readRecipe('serving-target');
  const [name, ...others] = edits;
  edit(name!);
  const asked = typeErrors().join('\n');
  expect(asked).toContain('src/targets/index.ts');
  for (const path of added) add('serving-target', path);
  for (const one of others) edit(one);
  expect(typeErrors()).toEqual([]);
  const named = filesOf('A serving target', 'example-server').filter((path) => !path.startsWith('docs/'));
  const touched = [...added.filter((path) => !path.endsWith('.conf')), ...edits.map(({ file }) => file)];
  expect(new Set(touched)).toEqual(new Set(named));
});

it('a field, a known field, a rule and a command need exactly the files of their recipes (I)', () => {
  for (const [recipe, title, name] of [
    ['field', 'A field', ''],
    ['known-field', 'A known field', ''],
    ['rule', 'A rule', ''],
    ['command', 'A command', 'count'],
  ] as const) {
    const { added, edits } = readRecipe(recipe);
    const touched = [...added, ...edits.map(({ file }) => file)];
    const named = filesOf(title, name).filter((path) => !path.startsWith('docs/'));
    expect(new Set(touched)).toEqual(new Set(named));
    for (const path of added) add(recipe, path);
    for (const one of edits) edit(one);
  }
  const tsx = join(ROOT, 'node_modules/tsx/dist/cli.mjs');
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [tsx, ...args], { cwd: scratch, encoding: 'utf8' });
  expect(run('scripts/make-client-types.ts').status).toBe(0);
  expect(typeErrors()).toEqual([]);
  const details = `import { configurationSchema } from './src/contract/configuration.ts';
import { explorerSettings } from './src/contract/explorer.ts';
import { detailRows } from './src/explorer/detail-rows.ts';
const { labels } = explorerSettings(configurationSchema.parse({ base_url: 'https://a.example' }));
console.log(JSON.stringify(detailRows({ title: 'Rose', website: 'https://rose.example' }, labels)));`;
  expect(run('--eval', details).stdout).toBe('[{"label":"Website","value":"https://rose.example"}]\n');
  const known = `import { checkConfiguration } from './src/source/configuration-file.ts';
import { declaredTerms } from './src/contract/terms.ts';
import { csvFormatOfFields } from './src/documents/csv-format.ts';
const { configuration } = checkConfiguration(Buffer.from('fields: { year_built: {} }'));
console.log(JSON.stringify(csvFormatOfFields(declaredTerms(configuration).fields).fields.at(-1)));`;
  expect(JSON.parse(run('--eval', known).stdout)).toEqual({
    ...{ name: 'year_built', type: 'integer', title: 'Year of construction' },
    constraints: { minimum: 1000, maximum: 2100 },
  });
  expect(run('src/cli.ts', '--help').stdout).toMatch(/^ {2}count \S* +count the property files$/m);
});
