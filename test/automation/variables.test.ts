/** Variables of the environment: each is explained, and passed to the commands that read it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../src/commands/program.ts';
import { HOST_NAMES } from '../../src/contract/hosts.ts';
import { writeStarter } from '../../src/start/starter.ts';
import { ROOT } from '../support/clone.ts';
import { temporaryFolder } from '../support/temporary.ts';
import type { Step, Workflow } from './runner.ts';

const table = readFileSync(join(ROOT, 'docs/automation.md'), 'utf8');
const NAME = /\bCATALOGUE_[A-Z_]+\b/g;

/** Variables that the help of a command names: what it reads. */
function readBy(command: string): string[] {
  const found = createProgram().commands.find((one) => one.name() === command);
  expect(found, command).toBeDefined();
  return [...new Set(found!.helpInformation().replace(/\s+/g, ' ').match(NAME) ?? [])];
}

/** The workflows of this repository, and of a new one for each host. */
function workflows(): [name: string, workflow: Workflow][] {
  const folders = [[ROOT, 'this repository']];
  for (const host of [undefined, ...HOST_NAMES.filter((name) => name !== 'gitlab-pages')]) {
    const folder = temporaryFolder();
    const about = { title: 'Stays', baseUrl: 'https://stays.example', country: 'IE', currency: 'EUR' };
    writeStarter(folder, { ...about, host, package: '1.2.3' });
    folders.push([folder, host ?? 'no host']);
  }
  return folders.flatMap(([folder = '', name]) =>
    readdirSync(join(folder, '.github/workflows')).map((file): [string, Workflow] => [
      `${name}, ${file}`,
      parse(readFileSync(join(folder, '.github/workflows', file), 'utf8')),
    ]),
  );
}

const ALL = workflows();

it('are in the table of automation.md, with those of workflows and of what targets run', () => {
  const commands = createProgram().commands.flatMap((command) => readBy(command.name()));
  const ofOwners = ALL.filter(([name]) => !name.startsWith('this repository'));
  const passed = ofOwners.flatMap(([, workflow]) =>
    [...JSON.stringify(workflow).matchAll(/(?:vars|secrets)\.(\w+)/g)].map(([, name = '']) => name),
  );
  expect(commands).toContain('CATALOGUE_SIGNING_KEY');
  expect(passed).toContain('CATALOGUE_IMPORT_KEY');
  for (const name of new Set([...commands, ...passed, 'CATALOGUE_ORIGIN', 'CATALOGUE_SHARDS']))
    expect(table).toMatch(new RegExp(`^\\|.*\`${name}\`.*\\|`, 'm'));
});

/** Variables that a command does not need as it is called here. */
function isNeedless(name: string, call: string): boolean {
  if (name === 'CATALOGUE_SIGNING_KEY_FILE') return true;
  // Only the cache of images has a server then.
  if (call.startsWith('build') && name === 'CATALOGUE_ENDPOINT') return !call.includes('--cache');
  // A preview is never signed; a folder has no server.
  if (name === 'CATALOGUE_SIGNING_KEY') return call.includes('preview');
  return call.includes(' dir:') && ['CATALOGUE_BUCKET', 'CATALOGUE_ENDPOINT'].includes(name);
}

/** Options of the action of this repository that stand for variables. */
const INPUTS: Readonly<Record<string, string>> = {
  argument: 'CATALOGUE_BUCKET',
  endpoint: 'CATALOGUE_ENDPOINT',
  'base-url': 'CATALOGUE_BASE_URL',
};

function callsOf({ run = '', uses, with: given = {} }: Step): string[] {
  if (uses === './' && given.command !== 'comment') return [`${given.command} ${given.args ?? ''}`];
  return [...run.matchAll(/\bcatalogue ([a-z][a-z-]+[^\n;|)]*)/g)].map(([, call = '']) => call);
}

describe('the steps of', () => {
  it.each(ALL)('%s pass to each command what it reads', (_name, { jobs }) => {
    for (const { env = {}, steps = [] } of Object.values(jobs)) {
      for (const step of steps) {
        const inputs = Object.keys(step.with ?? {}).map((input) => INPUTS[input]);
        const passed = [...Object.keys({ ...env, ...step.env }), ...inputs];
        for (const call of callsOf(step)) {
          const wanted = readBy(call.split(' ')[0]!).filter((name) => !isNeedless(name, call));
          for (const name of wanted) expect(passed, `${step.name}: ${call}`).toContain(name);
        }
      }
    }
  });
});
