import { chmodSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/compile/check.ts';
import { reportCheck } from '../../src/report/check.ts';
import { prettyDiagnostic } from '../../src/report/pretty.ts';
import type { DiagnosticCode } from '../../src/source/diagnostic-codes.ts';
import { createWorkspace } from '../compile/workspace.ts';
import { FIELDS, propertyText } from './property-text.ts';

/** An id for each number. */
const idOf = (number: number) => FIELDS.id.replace(/..$/, String(number).padStart(2, '0'));

/** A content folder with one sound property, and a check of it: code and file of each error. */
function hostileFolder() {
  const workspace = createWorkspace();
  chmodSync(workspace.root, 0o755);
  workspace.write('sound.yaml', propertyText({ id: idOf(99) }));
  const run = () => check({ content: workspace.content, out: workspace.out, jobs: 1 });
  const errors = async () => {
    const { diagnostics } = await run();
    return diagnostics.filter(({ severity }) => severity === 'error').map(({ code, file }) => [code, file]);
  };
  return { ...workspace, run, errors };
}

describe('a hostile file', () => {
  const FILES: [what: string, bytes: string | Buffer, ...codes: DiagnosticCode[]][] = [
    ['empty', '', 'empty-file'],
    ['of comments', '# a\n# b\n', 'empty-file'],
    ['binary', Buffer.from([...Array(512).keys()].map((byte) => byte & 255)), 'not-utf8'],
    ['a NUL', 'title: a\0b\n', 'control-character'],
    ['a list', '- a\n', 'not-a-mapping'],
    ['a text', 'hello\n', 'not-a-mapping'],
    ['in Latin-1', Buffer.from(propertyText({ city: 'Málaga' }), 'latin1'), 'not-utf8'],
    ['in UTF-16', Buffer.from(`\ufeff${propertyText()}`, 'utf16le'), 'not-utf8'],
    ['with tabs', propertyText({}, 'facilities:\n\t- wifi\n'), 'yaml-syntax'],
    ['with a field twice', propertyText({}, 'city: Cork\n'), 'duplicate-key'],
    ['with aliases of aliases', propertyText({}, 'facilities: &b [x]\nstate: *d\n'), 'yaml-syntax'],
    ['with a merge key', propertyText({}, '<<: {city: Cork}\n'), 'merge-key'],
    ['with __proto__', propertyText({}, '__proto__: {title: x}\n'), 'unknown-key'],
    ['with constructor', propertyText({}, 'constructor: {prototype: {title: x}}\n'), 'unknown-key'],
    ['with several documents', `${propertyText()}---\n${propertyText()}`, 'several-documents'],
    ['with deep brackets', '['.repeat(100_000), 'nested-too-deep'],
    ['with deep dashes', '- '.repeat(100_000), 'nested-too-deep'],
    [
      'with a long line',
      `title: ${'x'.repeat(900_000)}\n`,
      ...Array(6).fill('missing-key'),
      'title-too-long',
    ],
    ['with a million line ends', '\n'.repeat(1_000_000), 'too-many-tokens'],
    ['over a megabyte', '# x\n'.repeat(300_000), 'file-too-large'],
  ];

  it('of every kind is reported in one run, beside a sound one', async () => {
    const folder = hostileFolder();
    for (const [index, [, bytes]] of FILES.entries()) {
      const own = typeof bytes === 'string' ? bytes.replaceAll(FIELDS.id, idOf(index)) : bytes;
      folder.write(`${String(index).padStart(2, '0')}.yaml`, own);
    }
    expect(await folder.errors()).toEqual(
      FILES.flatMap(([, , ...codes], index) =>
        codes.map((code) => [code, `${String(index).padStart(2, '0')}.yaml`]),
      ),
    );
    const result = await folder.run();
    expect(result.files).toBe(FILES.length + 1);
    for (const format of ['pretty', 'json', 'github'] as const) {
      let text = '';
      const print = (part: string) => {
        text += part;
      };
      reportCheck(result, format, folder.content, { out: print, err: print, color: false });
      expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f]|\n +at .*:\d+|call stack|\[object/);
    }
  });

  it('is accepted when it only looks odd', async () => {
    const folder = hostileFolder();
    folder.remove('sound.yaml');
    folder.write('bom.yaml', `\ufeff${propertyText().replaceAll('\n', '\r\n')}`);
    expect((await folder.run()).diagnostics).toEqual([]);
  });
});

describe('a hostile folder', () => {
  it('with a file of many gigabytes is checked quickly, and in little memory', async () => {
    const folder = hostileFolder();
    for (const [name, bytes] of [
      ['a.yaml', 100 * 2 ** 20],
      // More than a buffer can hold.
      ['b.yaml', 8 * 2 ** 30],
    ] as const) {
      folder.write(name, propertyText());
      truncateSync(join(folder.content, name), bytes);
    }
    const start = process.cpuUsage();
    expect(await folder.errors()).toEqual([
      ['file-too-large', 'a.yaml'],
      ['file-too-large', 'b.yaml'],
    ]);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000);
  });

  it('with a link to a property of its own has that property twice', async () => {
    const folder = hostileFolder();
    symlinkSync('sound.yaml', join(folder.content, 'again.yaml'));
    expect(await folder.errors()).toEqual([
      ['duplicate-id', 'again.yaml'],
      ['duplicate-id', 'sound.yaml'],
    ]);
  });

  it('with odd names is checked, and reported in a form that a terminal shows', async () => {
    const folder = hostileFolder();
    const names = [
      ...['[a]*.yaml', 'a b.yaml', '😀.yaml', '{x,y}.YAML', '$(touch x).yml', '-rf.yaml', "it's.yaml"],
    ];
    for (const name of names) folder.write(name, 'title: x');
    folder.write('esc\u001b[2J.yaml', 'x');
    const { diagnostics } = await folder.run();
    expect(new Set(diagnostics.map(({ file }) => file))).toEqual(new Set([...names, 'esc\u001b[2J.yaml']));
    const plain = { bold: String, red: String, dim: String, yellow: String, cyan: String };
    const lines = diagnostics
      .map((diagnostic) => prettyDiagnostic(diagnostic, '', plain as never))
      .join('\n');
    expect(lines).toContain('esc\\u001b[2J.yaml  error illegible-name');
    expect(lines).not.toContain('\u001b');
  });
});
