import { resolve } from 'node:path';
import {
  FIELDS,
  NEW_COMMAND_FIELDS,
  type NewCommandFieldName,
  VISIBILITY_FIELDS,
  type VisibilityFieldName,
} from '../contract/fields.ts';
import type { PropertyAnswers } from '../editing/new-property-answers.ts';
import { UsageError } from '../errors/errors.ts';
import { makeFolder } from '../files/files-and-folders.ts';
import { printable } from '../text/printable.ts';
import { actionWithExitCode, contentOption, createCommand } from './command.ts';
import { terminal } from './terminal.ts';

export function newCommand() {
  const command = createCommand('new', {
    does: 'write a new property',
    examples: ['new --title "Harbour House" --country IE --city Galway --latitude 53.27 --longitude -9.05'],
    guide: ['editing-commands', 'a-new-property'],
  });
  for (const field of NEW_COMMAND_FIELDS) {
    const [placeholder, help] = FIELDS[field].newCommandOption;
    command.option(`${optionOf(field)} <${placeholder}>`, help);
  }
  return command
    .option('--facility <words...>', 'facilities', [] as string[])
    .option('--photo <files...>', 'photos, which are copied into the content folder', [] as string[])
    .option('--draft', 'keep it a draft, which is not published', false)
    .option('--live-from <time>', 'date or time from which it is published')
    .option('--live-until <time>', 'last day on which it is published, or the time at which that ends')
    .addOption(contentOption())
    .action(
      actionWithExitCode(async ({ content, facility: facilities, photo, draft, ...options }) => {
        const { usualCurrency } = await import('../editing/frequent-values.ts');
        const texts: Partial<Record<NewCommandFieldName | VisibilityFieldName, string>> = Object.fromEntries(
          Object.entries(options).map(([option, text]) => [fieldOfOption(option), text]),
        );
        const currency = texts.country && usualCurrency(content, texts.country);
        const given = {
          ...(currency && { currency }),
          ...texts,
          ...(draft && { draft: 'true' }),
          facilities,
          photos: photo.map((path) => ({ path })),
        };
        return write(content, await assertComplete(given));
      }),
    );
}

function optionOf(field: string): string {
  return `--${field.replaceAll('_', '-')}`;
}

function fieldOfOption(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

async function write(content: string, answers: PropertyAnswers): Promise<number> {
  const { checkPlannedProperty, planProperty, writePlannedProperty } = await import(
    '../editing/new-property.ts'
  );
  const { hasSchema, outdatedSchemas, writeSchemas } = await import('../editing/schema-file.ts');
  const { commandLine } = await import('../report/shell-command.ts');
  const { contentPrefix } = await import('../report/path-prefix.ts');
  const { isError } = await import('../source/diagnostic.ts');
  const { printDiagnostics } = await import('../report/diagnostics.ts');
  const planned = planProperty(content, answers);
  const diagnostics = await checkPlannedProperty(content, planned);
  const sink = terminal();
  const prefix = contentPrefix(content);
  printDiagnostics(diagnostics, prefix, sink);
  if (diagnostics.some(isError)) {
    sink.err('Nothing was written.\n');
    return 2;
  }
  makeFolder(content);
  writePlannedProperty(content, planned);
  writeSchemas(content, content, hasSchema(content) ? outdatedSchemas(resolve(content)) : undefined);
  sink.out(`${printable(prefix + planned.path)}\n`);
  const [dev, check] = ['dev', 'check'].map((name) => commandLine([name], content));
  sink.err(`Wrote it. Next: "${dev}" shows it while you edit, "${check}" judges all files.\n`);
  return 0;
}

async function assertComplete(given: Partial<PropertyAnswers>): Promise<PropertyAnswers> {
  const { answerProblem: problemOf, REQUIRED_NEW_COMMAND_FIELDS } = await import(
    '../editing/new-property-answers.ts'
  );
  const missing = REQUIRED_NEW_COMMAND_FIELDS.filter((field) => given[field] === undefined);
  if (missing.length > 0) {
    const options = missing.map(optionOf).join(', ');
    throw new UsageError(
      'missing-options',
      `Give ${options}. Or run "catalogue dev --edit", whose form asks for every field.`,
    );
  }
  for (const field of [...NEW_COMMAND_FIELDS, ...VISIBILITY_FIELDS]) {
    const problem = given[field] === undefined ? undefined : problemOf(field, given[field]);
    if (problem) throw new UsageError('invalid-option', `${optionOf(field)}: ${problem}`);
  }
  return given as PropertyAnswers;
}
