// Run with `npx tsx scripts/make-docs.ts`. Fails if something is not documented where it is defined.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { createProgram } from '../src/commands/program.ts';
import { configurationSchema } from '../src/contract/configuration.ts';
import { describeLimits, EXAMPLE_VALUES } from '../src/contract/declared-field-values.ts';
import { entryFields, FIELD_TYPES, FIELDS, type Field, type FieldType } from '../src/contract/fields.ts';
import { HOST_LIMITS_AS_OF, HOSTS, type Host } from '../src/contract/hosts.ts';
import { KNOWN_FIELDS, type KnownField } from '../src/contract/known-fields.ts';
import { type TermList, vocabularyFrom } from '../src/contract/vocabulary.ts';
import { ENVIRONMENT_ERRORS, type ErrorEntry, USAGE_ERRORS } from '../src/errors/codes.ts';
import { DIAGNOSTIC_CODES, type DiagnosticEntry } from '../src/source/diagnostic-codes.ts';
import { errorMessages } from './error-messages.ts';
import { GLOSSARY } from './glossary.ts';
import { LAYERS } from './layers.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DOCS = `${ROOT}docs/`;

type Schema = {
  description?: string;
  default?: unknown;
  type?: string | string[];
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  items?: Schema;
  anyOf?: { const?: unknown; type?: string }[];
  properties?: Record<string, Schema>;
  required?: string[];
  examples?: unknown[];
};

/** @throws Error when a setting has no description */
export function configurationTable(schema: z.ZodType = configurationSchema): string {
  const given = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  const made = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Schema;
  const rows: string[] = [];
  walk(given.properties ?? {}, made.properties ?? {}, '');
  return `| Setting | Values | Default | Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;

  function walk(inputs: Record<string, Schema>, outputs: Record<string, Schema>, above: string): void {
    for (const [key, input] of Object.entries(inputs)) {
      const output = outputs[key] ?? {};
      const description = described(`${above}${key}`, input);
      if (input.properties) walk(input.properties, output.properties ?? {}, `${above}${key}.`);
      else {
        const standard = output.default ?? input.default;
        const cells = [code(above + key), valuesOf(input, output), standardOf(standard), description];
        rows.push(`| ${cells.map(cell).join(' | ')} |`);
      }
    }
  }
}

function described(name: string, { description }: Schema): string {
  if (!description?.trim())
    throw new Error(`${name} has no description: give it one with .meta() in its schema.`);
  return description;
}

function valuesOf(input: Schema, output: Schema): string {
  if (output.type === 'number' || output.type === 'integer') return `${output.minimum} to ${output.maximum}`;
  const values = output.enum ?? input.enum;
  if (values) return values.map(code).join(', ');
  if (input.anyOf) {
    return input.anyOf
      .map((part) => ('const' in part ? code(part.const) : part.type === 'object' ? 'a mapping' : 'a list'))
      .join(' or ');
  }
  if (input.type === 'array') return 'a list';
  if (input.type === 'object') return 'a mapping';
  return 'a text';
}

function standardOf(value: unknown): string {
  if (value === undefined) return '';
  return code(Array.isArray(value) ? JSON.stringify(value) : String(value));
}

const code = (text: unknown) => `\`${text}\``;
const cell = (text: string) => text.replace(/\|/g, '\\|').replace(/\n/g, ' ');

/** @param list name of a list, for the fields of its entries; empty for a property */
export function fieldTable(list = ''): string {
  const fields = list === '' ? Object.entries(FIELDS as Record<string, Field>) : [...entryFields(list)];
  const rows = fields.map(([name, { required, description, examples = [] }]) => {
    const need = required ? 'yes' : '';
    return `| ${[code(name), need, description, exampleOf(examples)].map(cell).join(' | ')} |`;
  });
  return `| Field | Required | Meaning | Example |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

export function knownFieldTable(): string {
  const rows = Object.entries(KNOWN_FIELDS as Readonly<Record<string, KnownField>>).map(([name, field]) => {
    const { type, list, translate, maxLength, description, examples = [] } = field;
    const limits = [describeLimits(field), maxLength && `at most ${maxLength} characters`]
      .filter(Boolean)
      .join(', ');
    const kind = [list ? `list of ${type}` : type, translate && 'translated', limits]
      .filter(Boolean)
      .join(', ');
    return `| ${[code(name), kind, description, exampleOf(examples)].map(cell).join(' | ')} |`;
  });
  return `| Field | Type | Meaning | Example |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

export function typeTable(): string {
  const rows = FIELD_TYPES.map(
    (type) => `| ${code(type)} | ${TYPE_MEANINGS[type]} | ${code(EXAMPLE_VALUES[type] || 'wood')} |`,
  );
  return `| Type | Values | Example |\n|---|---|---|\n${rows.join('\n')}\n`;
}

const TYPE_MEANINGS: Readonly<Record<FieldType, string>> = {
  text: 'one line, of at most 500 characters',
  lines: 'several lines, of at most 20,000 characters',
  integer: 'a whole number, of at most 15 digits',
  decimal: 'a number with a point, published as written',
  boolean: '`true` or `false`',
  date: 'year, month and day',
  time: 'hours and minutes, to `24:00`',
  link: 'an `https` or `http` address',
  choice: 'one of the `choices`',
};

function exampleOf([first]: readonly unknown[]): string {
  if (first === undefined) return '';
  // Mappings have their own tables.
  if (Array.isArray(first)) return typeof first[0] === 'object' ? '' : code(`[${first.join(', ')}]`);
  return code(String(first));
}

/** @throws Error for a code without explanation, example or repair */
export function diagnosticSection(
  name: string,
  { severity, explanation, example, repaired }: DiagnosticEntry,
): string {
  for (const [part, text] of Object.entries({ explanation, example, repaired })) {
    if (!text.trim()) throw new Error(`${name} has no ${part}: write it in src/source/diagnostic-codes.ts.`);
  }
  return `## ${name}

${severity === 'error' ? 'Error' : 'Warning'}. ${explanation}

\`\`\`yaml
${example}
\`\`\`

Repaired:

\`\`\`yaml
${repaired}
\`\`\`
`;
}

export function diagnosticsPage(codes: Readonly<Record<string, DiagnosticEntry>> = DIAGNOSTIC_CODES): string {
  const sections = Object.entries(codes).map(([name, entry]) => diagnosticSection(name, entry));
  return `# Diagnostics

<!-- Made by scripts/make-docs.ts from src/source/diagnostic-codes.ts; do not edit. -->

Look up what \`catalogue build\` and \`catalogue check\` report. An error stops publication; a warning does not. Codes are
permanent: they are never renamed or reused. Where no short example exists, a line that starts with \`#\` describes one.
\`catalogue check --fix\` repairs [some](editing-commands.md#check-and-repair) of them, and
\`catalogue explain <code>\` prints a section of this page.

${sections.join('\n')}`;
}

export function errorsPage(): string {
  const messages = errorMessages(ROOT);
  const sections = (errors: Readonly<Record<string, ErrorEntry>>) =>
    Object.entries(errors)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { cause, remedy }]) => {
        const said = (messages.get(name) ?? []).map(
          (message) => `> ${message.replace(/[<>|]/g, '\\\\$&')}\n\n`,
        );
        return `### ${name}\n\n${said.join('')}${cause}\n\n${remedy}\n`;
      })
      .join('\n');
  return `# Errors of commands

<!-- Made by scripts/make-docs.ts from src/errors/codes.ts; do not edit. -->

Look up the code with which a message begins, or type \`catalogue explain <code>\`. Codes are permanent. With
\`--format json\`, the standard output is \`{ "error": { "code": …, "message": … } }\`, and with code 2 of \`import\` may be the proposal of a mapping.
In the messages, … is a value that varies. What a check or build reports about your files is in [diagnostics](diagnostics.md).

## Exit code 2: the command cannot do what it was asked

${sections(USAGE_ERRORS)}
## Exit code 3: disk, network or another process failed

${sections(ENVIRONMENT_ERRORS)}`;
}

export function withGenerated(page: string, name: string, text: string): string {
  const start = `<!-- generated: ${name} -->\n`;
  const end = '<!-- end -->';
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`There are no markers for ${name}.`);
  return `${page.slice(0, from + start.length)}\n${text}\n${page.slice(to)}`;
}

/** Shows a label only if it says more than the word. */
function wordList({ words, labels }: TermList): string {
  const entry = (word: string) => {
    const label = labels[word];
    return label?.toLowerCase() === word.replaceAll('_', ' ') ? code(word) : `${code(word)} (${label})`;
  };
  return `${words.map(entry).join(', ')}.\n`;
}

export function hostTable(): string {
  const number = (value: number) => value.toLocaleString('en');
  const rows = Object.entries(HOSTS as Readonly<Record<string, Host>>).map(([name, host]) => {
    const { settings, limits, dollarsPerMillionWrites, source } = host;
    const { files, filesAndFolders, filesPerFolder, bytesPerFile, bytes } = limits;
    const free = Number(settings.max_files ?? files);
    const said = [
      files && `${number(free)} files, ${number(files)} on a paid plan`,
      filesAndFolders && `${number(filesAndFolders)} files and folders`,
      filesPerFolder && `${number(filesPerFolder)} files in a folder`,
      bytesPerFile && `${bytesPerFile / 1024 ** 2} MiB a file`,
      bytes && `${bytes / 1e9} GB in all`,
      dollarsPerMillionWrites && `$${dollarsPerMillionWrites} for a million writes`,
    ].filter(Boolean);
    const { layout, targets, page_sizes, ...others } = settings;
    const rest = Object.entries(others).filter(([key]) => key !== 'max_files');
    const defaults = [
      code(`layout: ${layout}`),
      code(`targets: [${targets.join(', ')}]`),
      ...(page_sizes ? [code(`page_sizes: [${page_sizes.join(', ')}]`)] : []),
      ...rest.map(([key, value]) => code(`${key}: ${value}`)),
    ];
    const cited = source ? `${said.join('; ')} ([source](${source}), ${HOST_LIMITS_AS_OF})` : '–';
    return `| ${code(name)} | ${defaults.join(', ')} | ${cited} | ${host.isStatic ? 'no' : 'yes'} |\n`;
  });
  return `| Host | Defaults | Limits and prices | Queries |\n|---|---|---|---|\n${rows.join('')}`;
}

export function layerTable(): string {
  const rows = LAYERS.flatMap(({ paths, noun, holds }) => {
    if (holds === undefined) return [];
    const names = paths.map((path) => code(path));
    return `| ${names.join(', ')} | ${noun} | ${holds} |\n`;
  });
  return `| In \`src/\` | Is about | Holds |\n|---|---|---|\n${rows.join('')}`;
}

export function commandReference(): string {
  const program = createProgram();
  const groups = new Map<string, string[]>();
  for (const command of program.commands) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 100 }).outputHelp();
    const [, text = '', page = '', anchor = ''] =
      /^([\s\S]*)\nGuide: \S+\/([a-z-]+\.md)(\S*)\s*$/.exec(help) ?? [];
    const section = `### catalogue ${command.name()}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n\nGuide: [${page}](${page}${anchor})\n`;
    const group = command.helpGroup().replace(/:$/, '');
    groups.set(group, [...(groups.get(group) ?? []), section]);
  }
  return [...groups].map(([group, sections]) => `## ${group}\n\n${sections.join('\n')}`).join('\n');
}

function fieldsPage(): string {
  const { facilities, policy_types } = vocabularyFrom();
  const sections: readonly (readonly [title: string, text: string, table: string])[] = [
    ['Of every property', 'In the order of `catalogue format`.', fieldTable()],
    ['photo', 'Name a `file:` of the content folder, or a `url:`.', fieldTable('photo')],
    ['hotel_policy', '', fieldTable('hotel_policy')],
    ['payment_method', '', fieldTable('payment_method')],
    ['Known fields', 'Declare one in `fields` of `catalogue.yaml`.', knownFieldTable()],
    ['Types', 'Of fields of your own.', typeTable()],
    ['Facilities', '', wordList(facilities)],
    ['Types of policies', '', wordList(policy_types)],
  ];
  const parts = sections.map(([title, text, table]) => [
    '',
    `## ${title}`,
    '',
    ...(text ? [text, ''] : []),
    table.trim(),
  ]);
  const lead = 'What the file of a property may hold; [authoring](authoring.md) shows how to write it.';
  return ['# Fields', '', lead, ...parts.flat(), ''].join('\n');
}

/** @throws Error when a word's heading does not exist */
function glossaryPage(): string {
  const rows = GLOSSARY.map(([word, meaning, page]) => {
    const [file = '', anchor] = page.split('#');
    const headings = [...readFileSync(DOCS + file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(
      ([, title = '']) => title,
    );
    const slug = (title: string) => title.toLowerCase().replace(/ /g, '-');
    const title = anchor === undefined ? headings[0] : headings.find((one) => slug(one) === anchor);
    if (title === undefined) throw new Error(`${page} of "${word}" has no such heading.`);
    return `| **${word}** | ${meaning}. | [${title}](${page}) |`;
  });
  const lead = '<!-- Made by scripts/make-docs.ts from scripts/glossary.ts; do not edit. -->';
  return ['# Glossary', '', lead, '', '| Word | Meaning | Explained in |', '|---|---|---|', ...rows, ''].join(
    '\n',
  );
}

export function generatedPages(): Map<string, string> {
  const read = (name: string) => readFileSync(DOCS + name, 'utf8');
  return new Map([
    ['configuration.md', withGenerated(read('configuration.md'), 'settings', configurationTable())],
    ['targets.md', withGenerated(read('targets.md'), 'hosts', hostTable())],
    ['architecture.md', withGenerated(read('architecture.md'), 'layers', layerTable())],
    ['fields.md', fieldsPage()],
    ['commands.md', withGenerated(read('commands.md'), 'commands', commandReference())],
    ['diagnostics.md', diagnosticsPage()],
    ['errors.md', errorsPage()],
    ['glossary.md', glossaryPage()],
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of generatedPages()) writeFileSync(DOCS + name, text);
}
