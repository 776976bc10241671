import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readModules } from '../../scripts/structure/modules.ts';
import { roomOf } from '../../scripts/structure/rooms.ts';
import { cycles, tooLong, upwardImports } from '../../scripts/structure/rules.ts';

/** The modules of a small project with the given files. */
function modulesOf(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'structure-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return readModules(root, ['src', 'test']);
}

const longFunction = `function long() {\n${'  work();\n'.repeat(60)}}\n`;

describe('the rooms of the source', () => {
  it('puts a file into the room with the longest path that fits', () => {
    expect(roomOf('errors.ts')).toBe(0);
    expect(roomOf('packed/format/root.ts')).toBeLessThan(roomOf('release/release.ts'));
    expect(roomOf('packed/pack.ts')).toBeGreaterThan(roomOf('release/release.ts'));
    expect(roomOf('cli.ts')).toBeGreaterThan(roomOf('commands/build.ts'));
  });

  it('refuses a folder that belongs to no room', () => {
    expect(() => roomOf('helpers/everything.ts')).toThrow('src/helpers/everything.ts is in no room');
  });
});

describe('imports that go up', () => {
  const target = { 'src/report/pretty.ts': 'export type Line = string;\n', 'test/one.ts': '' };

  it.each([
    ['a value', `import { line } from '../report/pretty.ts';`],
    ['a type', `import type { Line } from '../report/pretty.ts';`],
    ['a re-export', `export * from '../report/pretty.ts';`],
    ['a module loaded later', `const load = () => import('../report/pretty.ts');`],
    ['a type in place', `type Line = import('../report/pretty.ts').Line;`],
  ])('finds %s', (_name, text) => {
    const modules = modulesOf({ ...target, 'src/source/read.ts': text });
    expect(upwardImports(modules)).toEqual(['src/source/read.ts -> src/report/pretty.ts']);
  });

  it('finds imports of test code in the product', () => {
    const modules = modulesOf({ ...target, 'src/source/read.ts': `import '../../test/one.ts';` });
    expect(upwardImports(modules)).toEqual(['src/source/read.ts -> test/one.ts']);
  });

  it('leaves out imports that go down, and those of packages', () => {
    const text = `import { z } from 'zod';\nimport { read } from '../source/read.ts';\n`;
    expect(upwardImports(modulesOf({ 'src/source/read.ts': '', 'src/report/pretty.ts': text }))).toEqual([]);
  });
});

describe('cycles of imports', () => {
  it('include one that consists of types', () => {
    const modules = modulesOf({
      'src/source/a.ts': `import type { B } from './b.ts';`,
      'src/source/b.ts': `import type { C } from './c.ts';`,
      'src/source/c.ts': `import type { A } from './a.ts';`,
      'src/source/d.ts': `import type { A } from './a.ts';`,
    });
    expect(cycles(modules)).toEqual([['src/source/a.ts', 'src/source/b.ts', 'src/source/c.ts']]);
  });
});

describe('the check of lengths', () => {
  it('finds long functions and files, but no tables', () => {
    const modules = modulesOf({
      'src/source/function.ts': longFunction,
      'src/source/file.ts': 'work();\n'.repeat(351),
      'src/contract/tables/names.ts': 'work();\n'.repeat(351),
    });
    expect(tooLong(modules)).toEqual([
      'src/source/file.ts has 351 lines, more than 350',
      'src/source/function.ts:1 long has 62 lines, more than 60',
    ]);
  });

  it('accepts a reason', () => {
    const modules = modulesOf({
      'src/source/function.ts': `// Long: one table, read as a whole.\n${longFunction}`,
      'src/source/file.ts': `/** All codes. Long: one entry for each. */\n${'work();\n'.repeat(351)}`,
    });
    expect(tooLong(modules)).toEqual([]);
  });
});
