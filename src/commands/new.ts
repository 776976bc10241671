/** `catalogue new`. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Answers } from '../editing/answers.ts';
import { UsageError } from '../errors.ts';
import { printable } from '../printable.ts';
import { contentOption, createCommand, exits } from './command.ts';
import { terminal } from './terminal.ts';

export const newCommand = () =>
  createCommand('new', {
    does: 'write a new property',
    examples: ['new --title "Harbour House" --country IE --city Galway --latitude 53.27 --longitude -9.05'],
    guide: ['editing', 'a-new-property'],
  })
    .option('--title <title>', 'name of the property')
    .option('--country <code>', 'ISO 3166-1 alpha-2 code, such as IE')
    .option('--city <city>', 'city')
    .option('--currency <code>', 'ISO 4217 code; that of the other properties of the country when absent')
    .option('--latitude <degrees>', 'latitude in decimal degrees')
    .option('--longitude <degrees>', 'longitude in decimal degrees')
    .option('--address <address>', 'street-level address')
    .option('--zip-code <code>', 'postal code')
    .option('--state <state>', 'state, region or province')
    .option('--email <address>', 'e-mail for booking inquiries')
    .option('--phone <number>', 'phone number with + and country calling code')
    .option('--facility <words...>', 'facilities', [] as string[])
    .option('--photo <files...>', 'photos, which are copied into the content folder', [] as string[])
    .option('--draft', 'keep it a draft, which is not published', false)
    .option('--live-from <time>', 'date or time from which it is published')
    .option('--live-until <time>', 'last day on which it is published, or the time at which that ends')
    .addOption(contentOption())
    .action(
      exits(async ({ content, facility: facilities, photo, ...options }) => {
        const { usualCurrency } = await import('../editing/known-places.ts');
        const currency = options.currency ?? (options.country && usualCurrency(content, options.country));
        const texts = Object.entries({ ...options, draft: options.draft ? 'true' : undefined, currency });
        const given = {
          ...Object.fromEntries(
            texts.flatMap(([option, text]) => (text === undefined ? [] : [[fieldOfOption(option), text]])),
          ),
          facilities,
          photos: photo.map((path) => ({ path })),
          policies: [],
          payments: [],
        };
        return write(content, await complete(given));
      }),
    );

/** The field of an option: `zipCode` is `zip_code`. */
function fieldOfOption(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Checks a property, writes it, and says what to do next. Returns the exit code. */
async function write(content: string, answers: Answers): Promise<number> {
  const { checkPlanned, planProperty, writePlanned } = await import('../editing/new-property.ts');
  const { schemaState, writeSchema } = await import('../editing/schema-file.ts');
  const { contentPrefix } = await import('../report/content.ts');
  const { hasErrors, printDiagnostics } = await import('../report/diagnostics.ts');
  const planned = planProperty(content, answers);
  const diagnostics = await checkPlanned(content, planned);
  const sink = terminal();
  const prefix = contentPrefix(content);
  printDiagnostics(diagnostics, 'pretty', prefix, sink);
  if (hasErrors(diagnostics)) {
    sink.err('Nothing was written.\n');
    return 2;
  }
  mkdirSync(content, { recursive: true });
  writePlanned(content, planned);
  if (schemaState(resolve(content)) !== 'current') writeSchema(content);
  sink.out(`${printable(prefix + planned.path)}\n`);
  const option = content === 'content' ? '' : ` --content ${printable(content)}`;
  sink.err(
    `Wrote it. Next: "catalogue dev${option}" shows it while you edit, "catalogue check${option}" judges all files.\n`,
  );
  return 0;
}

/**
 * Checks that every answer a property needs is given.
 *
 * @throws UsageError that names the options that are needed, or the first one with a problem.
 */
async function complete(given: Partial<Answers>): Promise<Answers> {
  const { ASKED_FIELDS, DATED_FIELDS } = await import('../contract/fields.ts');
  const { problemOf, REQUIRED_ANSWERS } = await import('../editing/answers.ts');
  const missing = REQUIRED_ANSWERS.filter((field) => given[field] === undefined);
  if (missing.length > 0) {
    const options = missing.map((field) => `--${field}`).join(', ');
    throw new UsageError(
      'missing-options',
      `Give ${options}. Or run "catalogue dev --edit", whose form asks for every field.`,
    );
  }
  for (const field of [...ASKED_FIELDS, ...DATED_FIELDS]) {
    const problem = given[field] === undefined ? undefined : problemOf(field, given[field]);
    if (problem) throw new UsageError('invalid-option', `--${field.replaceAll('_', '-')}: ${problem}`);
  }
  return given as Answers;
}
