/** Each command: its help, its guide, its examples (17.2). */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createProgram } from '../../src/commands/program.ts';
import { temporaryFolder } from '../support/temporary.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const names = createProgram().commands.map((command) => command.name());

/** The whole help of a command. */
function helpOf(name: string): string {
  const command = createProgram().commands.find((one) => one.name() === name)!;
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return help;
}

describe('the command line', () => {
  it('starts without the schemas, which take longer to load than a build without changes takes', () => {
    const loaded = new Map<string, string>();
    const load = (name: string) => {
      if (loaded.has(name)) return;
      loaded.set(name, read(`lib/${name}`));
      for (const [, file] of loaded.get(name)!.matchAll(/(?:from|^import|;import) ?"\.\/([\w-]+\.js)"/g))
        load(file!);
    };
    load('cli.js');
    expect(loaded.size).toBeGreaterThan(3);
    expect([...loaded].flatMap(([name, text]) => (text.includes('ZodError') ? [name] : []))).toEqual([]);
  });

  it.each(['publish', 'rollback'])(
    'refuses %s --cache-tags with the reason, and its help hides it',
    async (name) => {
      expect(helpOf(name)).not.toContain('--cache-tags');
      await expect(
        createProgram().parseAsync([name, 'dir:/nowhere', '--cache-tags'], { from: 'user' }),
      ).rejects.toMatchObject({
        code: 'option-removed',
        message: expect.stringContaining('Leave out --cache-tags'),
      });
    },
  );

  it.each([
    ['build', '--jobs', '100000', 'a whole number from 1 to 99999'],
    ['publish', '--concurrency', '1e9', 'a whole number from 1 to 99999'],
    ['publish', '--signature-days', '99999999999999999999', 'a whole number from 1 to 99999'],
    ['publish', '--max-shrink', '101', 'a whole number from 0 to 100'],
    ['prune', '--grace', '100000', 'a whole number from 0 to 99999'],
    ['prune', '--keep', '-1', 'a whole number from 0 to 99999'],
    ['verify', '--sample', '0', 'a whole number from 1 to 99999'],
    ['serve', '--port', '65536', 'a whole number from 0 to 65535'],
  ])('says least and most of %s %s %s (B12)', async (command, option, value, range) => {
    await expect(createProgram().parseAsync([command, option, value], { from: 'user' })).rejects.toThrow(
      `Expected ${range}.`,
    );
  });

  it.each([
    ['--host', '--listen', ['serve', '--out', 'nowhere', '--host', '127.0.0.1'], 'nothing-built'],
    ['CATALOGUE_TARGET', 'CATALOGUE_BUCKET', ['releases'], 'no-such-file'],
  ])('still takes %s, and names %s', async (before, now, words, code) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => write.mockRestore());
    vi.stubEnv('CATALOGUE_TARGET', 'dir:nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(createProgram().parseAsync(words, { from: 'user' })).rejects.toMatchObject({ code });
    expect(write.mock.calls).toEqual([
      [`${before} is called ${now} now. The old name works until version 0.4.\n`],
    ]);
    expect(helpOf(words[0] ?? '')).not.toContain(before);
  });

  it('refuses verify --seen without --key (B6)', async () => {
    await expect(
      createProgram().parseAsync(['verify', 'http://localhost:9', '--seen', 'seen.json'], { from: 'user' }),
    ).rejects.toMatchObject({ code: 'seen-without-key' });
  });

  it.each([
    [['publish', 'dir:x', '--preview', 'a', '--purge'], '--preview', '--purge'],
    [['publish', 'dir:x', '--preview', 'a', '--max-shrink', '5'], '--preview', '--max-shrink'],
    [['publish', 'dir:x', '--preview', 'a', '--signing-key', 'k'], '--preview', '--signing-key'],
    [['publish', 'dir:x', '--preview', 'a', '--key-value-store', 'k'], '--preview', '--key-value-store'],
    [['publish', 'dir:x', '--end-preview', 'a', '--preview', 'a'], '--end-preview', '--preview'],
    [['publish', 'dir:x', '--end-preview', 'a', '--allow-older'], '--end-preview', '--allow-older'],
    [['check', '--recorded', '--fix'], '--recorded', '--fix'],
    [['check', '--recorded', '--for', 'google-vacation-rentals'], '--recorded', '--for'],
  ])('refuses options that exclude each other: %j', async (words, one, other) => {
    await expect(createProgram().parseAsync(words, { from: 'user' })).rejects.toMatchObject({
      code: 'commander.conflictingOption',
      message: expect.stringMatching(`${one}\\b.* cannot be used with option '${other}\\b`),
    });
  });

  it('publishes a preview where variables name what only the live release needs', async () => {
    vi.stubEnv('CATALOGUE_SIGNING_KEY_FILE', 'k');
    vi.stubEnv('CLOUDFRONT_KEY_VALUE_STORE', 'k');
    onTestFinished(() => void vi.unstubAllEnvs());
    const words = ['publish', 'dir:x', '--preview', 'a', '--out', temporaryFolder()];
    await expect(createProgram().parseAsync(words, { from: 'user' })).rejects.toMatchObject({
      code: 'nothing-built',
    });
  });

  it.each([
    [['rollback'], 'bucket'],
    [['rollback', '4F9c02'], 'bucket'],
    [['rollback', 'dir:other'], 'other'],
    [['rollback', 'dir:other', '4f9c02'], 'other'],
  ])('takes the bucket of %j from its arguments, else from CATALOGUE_BUCKET', async (words, folder) => {
    vi.stubEnv('CATALOGUE_BUCKET', 'dir:bucket');
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(createProgram().parseAsync(words, { from: 'user' })).rejects.toMatchObject({
      code: 'no-such-file',
      message: expect.stringMatching(`/${folder}\\. `),
    });
  });

  it('refuses to publish into the content', async () => {
    const content = temporaryFolder();
    writeFileSync(join(content, 'catalogue.yaml'), 'base_url: https://stays.example\n');
    for (const folder of [content, join(content, 'site')])
      await expect(
        createProgram().parseAsync(['publish', `dir:${folder}`, '--end-preview', 'a'], { from: 'user' }),
      ).rejects.toMatchObject({ code: 'invalid-target' });
  });

  it('names each command once', () => {
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['build', 'publish', 'explain']));
  });

  it('is linked from the README to the page of all commands', () => {
    expect(read('README.md')).toContain('](docs/commands.md)');
  });

  describe.each(names)('catalogue %s', (name) => {
    it('says what it does in one line, without a full stop', () => {
      const description = createProgram()
        .commands.find((one) => one.name() === name)!
        .description();
      expect(description).toMatch(/^[a-z].*[^.]$/);
    });

    it('has one guide that names it', () => {
      const pages = [...helpOf(name).matchAll(/^Guide: \S+\/docs\/([a-z-]+\.md)(?:#\S+)?$/gm)];
      expect(pages).toHaveLength(1);
      expect(read(`docs/${pages[0]![1]}`)).toMatch(new RegExp(`\\b(?:catalogue|cli\\.js) ${name}\\b`));
    });

    it('has examples that can be typed', async () => {
      const examples = [...helpOf(name).matchAll(/^ {2}\$ catalogue (.+)$/gm)].map(([, words]) => words!);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        expect(example.split(' ')[0]).toBe(name);
        const program = createProgram();
        let hasRun = false;
        for (const command of program.commands) {
          command.action(() => {
            hasRun = true;
          });
        }
        // Splits words as a shell does, without its redirections.
        const words = [...example.replace(/ >>? .*$/, '').matchAll(/"[^"]*"|'[^']*'|\S+/g)].map(([word]) =>
          word.replace(/^["']|["']$/g, ''),
        );
        await program.parseAsync(words, { from: 'user' });
        expect(hasRun, example).toBe(true);
      }
    });
  });
});
