/** Answers the questions of an import, as an owner in a terminal does. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { SourceResult } from '../../src/import/import-options.ts';
import { importSource } from '../../src/import/import-source.ts';
import type { Proposal } from '../../src/import/mapping/mapping.ts';
import { askSheet, askToPick, introduce } from '../../src/import/questions/prompts.ts';
import { askMapping } from '../../src/import/questions/questions.ts';
import type { Workspace } from '../compile/workspace.ts';

const KEYS = { enter: '\r', space: ' ', escape: '\x1b', down: '\x1b[B', up: '\x1b[A', stop: '\x03' } as const;

/** What is seen last, and the keys for it: an option by its label, a text after `=`, or a key after `!`. */
export type Answer = readonly [seen: string, ...keys: string[]];

export type Asked = {
  readonly done: SourceResult;
  readonly proposal: Proposal | undefined;
  /** All that was printed, without colours. */
  readonly screen: string;
};

/** Imports a table, and gives the answers in order. */
export async function asked(
  { root, content }: Workspace,
  name: string,
  text: string | Uint8Array,
  answers: readonly Answer[],
  { asksToPick = false } = {},
): Promise<Asked> {
  const path = join(root, name);
  writeFileSync(path, text);
  const [input, output] = [new PassThrough(), new PassThrough()];
  let screen = '';
  output.on('data', (chunk: Buffer) => {
    screen += stripVTControlCharacters(chunk.toString());
  });
  let proposal: Proposal | undefined;
  const importing = importSource(path, {
    ...{ content, force: false, photos: false },
    introduce: (...given) => introduce(...given, { input, output }),
    ...(asksToPick && { pick: (...given) => askToPick(...given, { input, output }) }),
    askSheet: (...given) => askSheet(...given, { input, output }),
    ask: async (...given) => {
      proposal = await askMapping(...given, { input, output });
      return proposal;
    },
  });
  let from = 0;
  for (const [seen, ...keys] of answers) {
    await until(
      () => screen.includes(seen, from),
      () => `"${seen}" in:\n${screen.slice(from)}`,
    );
    for (const key of keys) {
      from = screen.length;
      if (key.startsWith('!')) input.write(KEYS[key.slice(1) as keyof typeof KEYS]);
      else if (key.startsWith('=')) {
        input.write(key.slice(1));
        await pause();
        input.write(KEYS.enter);
      } else await chooseOption(key, input, () => screen.slice(from));
    }
  }
  return { done: await importing, proposal, screen };
}

/** Moves down until the option is the active one, and takes it. */
async function chooseOption(label: string, input: PassThrough, seen: () => string): Promise<void> {
  for (let moves = 0; moves < 60; moves++) {
    input.write(KEYS.down);
    await pause();
    const active = [...seen().matchAll(/● (.*)/g)].at(-1)?.[1] ?? '';
    if (active.startsWith(label)) {
      input.write(KEYS.enter);
      return;
    }
  }
  throw new Error(`There is no option "${label}" in:\n${seen()}`);
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

async function until(isSo: () => boolean, what: () => string): Promise<void> {
  for (let tries = 0; tries < 2000; tries++) {
    if (isSo()) return;
    await pause();
  }
  throw new Error(`Never seen: ${what()}`);
}
