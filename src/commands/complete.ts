/** `catalogue complete`: shell completion. */
import { readFileSync } from 'node:fs';
import { Argument, type CommandUnknownOpts, type Option } from '@commander-js/extra-typings';
import { PACKAGE_ROOT } from '../package-root.ts';
import { createCommand, exits } from './command.ts';
import { terminal } from './terminal.ts';

export const completeCommand = () =>
  createCommand('complete', {
    does: 'write the script by which a shell completes this command line',
    examples: [
      'complete bash >> ~/.bashrc',
      'complete zsh >> ~/.zshrc',
      'complete fish > ~/.config/fish/completions/catalogue.fish',
    ],
    guide: ['commands', 'completion-in-a-shell'],
  })
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish'] as const))
    .addArgument(
      new Argument('[words...]', 'the words so far, for the script to ask').default([] as string[], 'none'),
    )
    .action(
      exits(async (shell, words, _options, command) => {
        const { out } = terminal();
        if (words.length === 0) {
          out(readFileSync(new URL(`lib/completion/catalogue.${shell}`, PACKAGE_ROOT), 'utf8'));
        } else
          for (const { value, about } of await completions(command.parent!, words))
            out(`${value}\t${about}\n`);
        return 0;
      }),
    );

/** A candidate for the end of a command line. */
export type Completion = {
  /** The whole word; {@link FILES} and {@link FOLDERS} stand for paths, which the shell completes. */
  readonly value: string;
  readonly about: string;
};

const FILES = ':files';
const FOLDERS = ':folders';

/** Completion of arguments whose value is a path, by the value's name in the help. */
const PATHS: Readonly<Record<string, string>> = {
  folder: FOLDERS,
  place: FOLDERS,
  target: FOLDERS,
  base: FOLDERS,
  file: FILES,
  files: FILES,
  paths: FILES,
  source: FILES,
};

/**
 * Lists the completions of a command line. @param words the words after the program's name; the last one is being
 * typed, and may be empty.
 */
export async function completions(
  program: CommandUnknownOpts,
  words: readonly string[],
): Promise<readonly Completion[]> {
  const [name = '', ...typed] = joined(words);
  const current = typed.pop();
  if (current === undefined) {
    const all = program.commands.map((one) => ({ value: one.name(), about: one.description() }));
    return all.filter(({ value }) => value.startsWith(name));
  }
  const command = program.commands.find((one) => one.name() === name);
  if (!command) return [];
  const [, flag, start] = /^(--[^=]+)=(.*)$/.exec(current) ?? [];
  if (flag !== undefined) {
    const option = command.options.find(({ long }) => long === flag);
    // Bash splits words at the equals sign.
    const isApart = words.at(-2) === '=' || words.at(-1) === '=';
    return valuesOf(option, start!).map(({ value, about }) =>
      isApart || value.startsWith(':') ? { value, about } : { value: `${flag}=${value}`, about },
    );
  }
  const option = command.options.find(({ long }) => long === typed.at(-1));
  if (option && takesValue(option)) return valuesOf(option, current);
  if (current.startsWith('-')) {
    const left = command.options.filter(
      ({ long, variadic, hidden }) => !hidden && (variadic || !typed.includes(long!)),
    );
    return left
      .map(({ long, description }) => ({ value: long!, about: description }))
      .filter(({ value }) => value.startsWith(current));
  }
  return argumentsOf(command, typed, current);
}

/** Joins `--option`, `=` and a value, which bash splits. */
function joined(words: readonly string[]): string[] {
  const found: string[] = [];
  for (const [place, word] of words.entries()) {
    const isBehind = words[place - 1] === '=' || word === '=';
    if (isBehind && found.at(-1)?.startsWith('--')) found.push(found.pop() + word);
    else found.push(word);
  }
  return found;
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function valuesOf(option: Option | undefined, start: string): Completion[] {
  if (!option || !takesValue(option)) return [];
  const [, name = ''] = /[<[]([\w-]+)/.exec(option.flags) ?? [];
  return choicesOf(option.argChoices, name, start);
}

function choicesOf(choices: readonly string[] | undefined, name: string, start: string): Completion[] {
  const path = PATHS[name];
  if (path) return [{ value: path, about: '' }];
  return (choices ?? []).filter((value) => value.startsWith(start)).map((value) => ({ value, about: '' }));
}

/** Lists candidates for the next argument. */
async function argumentsOf(
  command: CommandUnknownOpts,
  typed: readonly string[],
  current: string,
): Promise<Completion[]> {
  const isValue = (place: number) =>
    command.options.some((one) => one.long === typed[place - 1] && takesValue(one));
  const count = typed.filter((word, place) => !word.startsWith('-') && !isValue(place)).length;
  const all = command.registeredArguments;
  const argument = all[count] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  if (!argument) return [];
  if (argument.name() !== 'code') return choicesOf(argument.argChoices, argument.name(), current);
  const { CODES } = await import('../source/codes.ts');
  return choicesOf(Object.keys(CODES), '', current);
}
