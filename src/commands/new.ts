/** `catalogue new`. */
import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { ASKED_FIELDS, type AskedField } from '../contract/fields.ts';
import { type Answers, problemOf, REQUIRED_ANSWERS } from '../editing/answers.ts';
import { readKnownPlaces } from '../editing/known-places.ts';
import { checkPlanned, planProperty, writePlanned } from '../editing/new-property.ts';
import type { Given } from '../editing/questions.ts';
import { vocabularyOf } from '../editing/repair-content.ts';
import { schemaState, writeSchema } from '../editing/schema-file.ts';
import { UsageError } from '../errors.ts';
import { printable } from '../printable.ts';
import { contentPrefix, printDiagnostics } from '../report/report.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type NewArguments = {
  content: string;
  title?: string;
  country?: string;
  city?: string;
  currency?: string;
  latitude?: string;
  longitude?: string;
  email?: string;
  phone?: string;
  zipCode?: string;
  state?: string;
  address?: string;
  facility: string[];
  photo: string[];
};

/** What a shell tells of a command that was interrupted. */
const GIVEN_UP = 130;

/** Asks for what is not given, and writes a property. Returns the exit code. */
export async function runNew(args: NewArguments): Promise<number> {
  const { content, facility, photo, zipCode } = args;
  const places = readKnownPlaces(content);
  const texts = {
    ...args,
    zip_code: zipCode,
    currency: args.currency ?? (args.country && places.currencyOf(args.country)),
  };
  const given: Given = {
    ...Object.fromEntries(
      ASKED_FIELDS.flatMap((field) => (texts[field] === undefined ? [] : [[field, texts[field]]])),
    ),
    facilities: facility,
    photos: photo.map((path) => ({ path })),
    policies: [],
    payments: [],
  };
  const missing = REQUIRED_ANSWERS.filter((field) => given[field] === undefined);
  const answers = missing.length === 0 ? (given as Answers) : await ask(given, missing, content, places);
  if (!answers) return GIVEN_UP;
  refuseProblems(answers);
  const planned = planProperty(content, answers);
  const diagnostics = await checkPlanned(content, planned);
  const sink = terminal();
  const prefix = contentPrefix(content);
  printDiagnostics(diagnostics, 'pretty', prefix, sink);
  if (diagnostics.some(({ severity }) => severity === 'error')) {
    sink.err('Nothing was written.\n');
    return 2;
  }
  mkdirSync(content, { recursive: true });
  writePlanned(content, planned);
  if (schemaState(resolve(content)) !== 'current') writeSchema(content);
  sink.out(`${printable(prefix + planned.path)}\n`);
  sink.err(nextStep(content));
  return 0;
}

function nextStep(content: string): string {
  const option = content === 'content' ? '' : ` --content ${printable(content)}`;
  return `Wrote it. Next: "catalogue dev${option}" shows it while you edit, "catalogue check${option}" judges all files.\n`;
}

/** @throws UsageError that names the option of the first field with a problem. */
function refuseProblems(answers: Answers): void {
  for (const field of ASKED_FIELDS) {
    const problem = answers[field] === undefined ? undefined : problemOf(field, answers[field]);
    if (problem) throw new UsageError('invalid-option', `--${field.replace('_', '-')}: ${problem}`);
  }
}

async function ask(
  given: Given,
  missing: readonly AskedField[],
  content: string,
  places: ReturnType<typeof readKnownPlaces>,
): Promise<Answers | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    const options = missing.map((field) => `--${field}`).join(', ');
    throw new UsageError(
      'missing-options',
      `Without a terminal to ask on, ${options} ${missing.length === 1 ? 'is' : 'are'} needed.`,
    );
  }
  const { askQuestions } = await import('../editing/questions.ts');
  const photoProblem = (path: string) =>
    existsSync(path) ? undefined : `There is no ${path}. Check the path.`;
  return askQuestions(given, { places, vocabulary: vocabularyOf(resolve(content)), photoProblem });
}
