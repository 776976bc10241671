/** Schemas of `fields` and `languages` in `catalogue.yaml`. */
import * as z from 'zod';
import { ownValue } from '../values/own-value.ts';
import { compareValues, EXAMPLE_VALUES, isValidValue, MAX_LENGTHS } from './declared-field-values.ts';
import { type DeclaredOptions, FIELD_NAMES, FIELD_TYPES, type Field, type FieldType } from './fields.ts';
import { type KnownField, knownField } from './known-fields.ts';
import { canonicalLanguageTag } from './language-tag.ts';
import { booleanSetting, integerSetting, singleLineText } from './setting-schemas.ts';
import { type TermList, termFromName, termList } from './vocabulary.ts';

const MAX_FIELDS = 60;
const MAX_CHOICES = 200;
const MAX_LANGUAGES = 20;

const NAME = /^[a-z][a-z0-9_]{0,39}$/;
const NAME_FORM = 'up to 40 lower-case letters, digits and "_", the first a letter';
const TAKEN_NAMES: ReadonlySet<string> = new Set([
  ...FIELD_NAMES,
  'thumbnail',
  'attributes',
  'translations',
  'constructor',
]);

const choice = z.union([
  singleLineText,
  z.strictObject({ label: singleLineText.optional(), synonyms: z.array(singleLineText).default([]) }),
]);

export const fieldOptionsSchema = z.strictObject({
  type: z.enum(FIELD_TYPES).optional().meta({ description: 'Type of the values of the field.' }),
  label: singleLineText.optional().meta({ description: 'Name of the field for people.' }),
  help: singleLineText.optional().meta({ description: 'Explanation for editors.' }),
  unit: singleLineText
    .max(12, { error: 'expected at most 12 characters' })
    .optional()
    .meta({ description: 'Unit of a number, such as m or min.' }),
  list: booleanSetting.optional().meta({ description: 'Whether the field can have several values.' }),
  translate: booleanSetting.optional().meta({ description: 'Whether the text may be translated.' }),
  required: booleanSetting.optional().meta({ description: 'Whether every property must have the field.' }),
  filter: booleanSetting.optional().meta({ description: 'Whether searches may filter by the field.' }),
  minimum: singleLineText.optional().meta({ description: 'Smallest number, or earliest date or time.' }),
  maximum: singleLineText.optional().meta({ description: 'Largest number, or latest date or time.' }),
  max_length: integerSetting(1, MAX_LENGTHS.lines)
    .optional()
    .meta({ description: 'Maximum number of characters of a text.' }),
  choices: z
    .union([z.array(singleLineText), z.record(z.string(), choice)], {
      error: 'expected a list of values, or a mapping of values to their labels',
    })
    .optional()
    .meta({ description: 'Valid values of a field of the type `choice`.' }),
  synonyms: z
    .array(singleLineText)
    .optional()
    .meta({ description: 'Other names of the field, which "check --fix" replaces and import recognizes.' }),
  default: z
    .unknown()
    .refine((value) => value === undefined, { error: 'a field has none: what is absent is unknown' })
    .optional(),
});

type Options = z.output<typeof fieldOptionsSchema>;
type Report = (option: keyof Options | '', error: string, within?: PropertyKey) => void;

/** Turns each declaration into a `Field`, in declared order. */
export const fieldsSchema = z
  .record(z.string(), fieldOptionsSchema)
  .transform((given, context): Readonly<Record<string, Field>> => {
    const fields: Record<string, Field> = {};
    Object.entries(given).forEach(([name, options], index) => {
      const report: Report = (option, message, within) => {
        const path = [name, ...(option ? [option] : []), ...(within === undefined ? [] : [within])];
        context.issues.push({ code: 'custom', input: options, path, message });
      };
      const fault = index < MAX_FIELDS ? faultOf(name) : `expected at most ${MAX_FIELDS} fields`;
      if (fault) report('', fault);
      else fields[name] = fieldOf(name, options, report);
    });
    return fields;
  });

function faultOf(name: string): string | undefined {
  if (!NAME.test(name)) return `expected a name of ${NAME_FORM}`;
  return TAKEN_NAMES.has(name) ? 'expected another name: the interface has this one' : undefined;
}

const OPTIONS: Readonly<Partial<Record<keyof Options, readonly FieldType[]>>> = {
  minimum: ['integer', 'decimal', 'date', 'time'],
  maximum: ['integer', 'decimal', 'date', 'time'],
  max_length: ['text', 'lines'],
  choices: ['choice'],
  unit: ['integer', 'decimal'],
  translate: ['text', 'lines'],
  list: ['text', 'link', 'choice'],
  filter: ['integer', 'decimal', 'boolean', 'date', 'choice'],
};

const FIXED_OPTIONS = ['type', 'unit', 'list', 'translate'] as const;

function fieldOf(name: string, own: Options, report: Report): Field {
  const known = knownField(name);
  const type = known?.type ?? own.type ?? 'text';
  if (!known && !own.type)
    report('', `expected a type, such as { type: text }; the types are ${FIELD_TYPES.join(', ')}`);
  for (const option of FIXED_OPTIONS) {
    const has = known?.[option];
    if (known && own[option] !== undefined && own[option] !== (has ?? false))
      report(option, `expected none: ${name} is a known field${has ? `, whose ${option} is ${has}` : ''}`);
  }
  for (const [option, types] of Object.entries(OPTIONS))
    if (own[option as keyof Options] && !types.includes(type))
      report(option as keyof Options, `expected none: only ${types.join(', ')} have it`);
  const list = own.list ?? known?.list ?? false;
  const translate = own.translate ?? known?.translate ?? false;
  if (list && translate) report('translate', 'expected none: a list is not translated');
  const declared = declaredOf(type, own, known, report);
  const label = own.label ?? known?.label ?? termFromName(name).label;
  const description = own.help ?? known?.description ?? label;
  const first = declared.terms?.words[0] ?? EXAMPLE_VALUES[type];
  return {
    kind: list ? 'words' : type,
    label,
    description,
    ...(own.help ? {} : known?.help && { help: known.help }),
    examples: (!own.choices && known?.examples) || [list ? [first] : first],
    published: description,
    synonyms: [...(known?.synonyms ?? []), ...(own.synonyms ?? [])],
    group: known?.group ?? 'details',
    ...(own.required && { required: true }),
    ...(translate && { translate: true }),
    ...(declared.terms && { choices: declared.terms.words }),
    declared,
  };
}

function declaredOf(
  type: FieldType,
  own: Options,
  known: KnownField | undefined,
  report: Report,
): DeclaredOptions {
  const { above, step, areLanguageTags } = known ?? {};
  const isLimit = (option: 'minimum' | 'maximum') => {
    const value = own[option];
    if (value === undefined || !OPTIONS[option]!.includes(type)) return false;
    if (!isValidValue(type, value)) report(option, `expected a value of the type ${type}`);
    return isValidValue(type, value);
  };
  const [hasMinimum, hasMaximum] = [isLimit('minimum'), isLimit('maximum')];
  const minimum = hasMinimum ? own.minimum : known?.minimum;
  const maximum = hasMaximum ? own.maximum : known?.maximum;
  const least = known?.minimum ?? above;
  if (hasMinimum && least !== undefined && compareValues(type, minimum!, least) < 0)
    report('minimum', `expected no less than ${least}, the limit of this known field`);
  if (hasMaximum && known?.maximum !== undefined && compareValues(type, maximum!, known.maximum) > 0)
    report('maximum', `expected no more than ${known.maximum}, the limit of this known field`);
  if (minimum !== undefined && maximum !== undefined && compareValues(type, minimum, maximum) > 0)
    report(hasMaximum ? 'maximum' : 'minimum', 'expected a minimum that is no more than the maximum');
  const longest = known?.maxLength ?? (known && MAX_LENGTHS[type]);
  if (longest !== undefined && (own.max_length ?? 0) > longest)
    report('max_length', `expected at most ${longest}, the limit of this known field`);
  const maxLength = own.max_length ?? known?.maxLength ?? MAX_LENGTHS[type];
  const unit = own.unit ?? known?.unit;
  return {
    type,
    ...(type === 'choice' && { terms: choicesOf(own.choices, known, report) }),
    ...(unit !== undefined && { unit }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(above !== undefined && !hasMinimum && { above }),
    ...(step !== undefined && { step }),
    ...(maxLength !== undefined && { maxLength }),
    ...(areLanguageTags && { areLanguageTags }),
    ...((own.filter ?? known?.filter) && { filter: true }),
  };
}

function choicesOf(given: Options['choices'], known: KnownField | undefined, report: Report): TermList {
  const usual = known?.choices ?? {};
  const entries = Array.isArray(given)
    ? given.map((value) => [value, {}] as const)
    : Object.entries(given ?? usual);
  if (entries.length === 0) report(given ? 'choices' : '', 'expected choices, such as [wood, electric]');
  if (entries.length > MAX_CHOICES) report('choices', `expected at most ${MAX_CHOICES} choices`);
  const seen = new Set<string>();
  const terms = entries.map(([value, own], index) => {
    const place = Array.isArray(given) ? index : value;
    if (!NAME.test(value)) report('choices', `expected a value of ${NAME_FORM}`, place);
    else if (seen.has(value)) report('choices', 'expected each value once', place);
    seen.add(value);
    const names = ownValue(usual, value) ?? [];
    const { label, synonyms = [] } =
      typeof own === 'string'
        ? { label: own }
        : Array.isArray(own)
          ? {}
          : (own as { label?: string; synonyms?: string[] });
    const [usualLabel = termFromName(value).label, ...others] = names;
    return { word: value, label: label ?? usualLabel, synonyms: [...others, ...synonyms] };
  });
  return termList(terms, false);
}

export const languagesSchema = z
  .array(
    z.string().check((context) => {
      const canonical = canonicalLanguageTag(context.value);
      if (canonical === context.value) return;
      const message = `expected a language tag such as ${canonical ?? 'en or pt-BR'}`;
      context.issues.push({ code: 'custom', input: context.value, message });
    }),
    { error: 'expected a list of language tags, such as [en, fr]' },
  )
  .min(1, { error: 'expected at least one language' })
  .max(MAX_LANGUAGES, { error: `expected at most ${MAX_LANGUAGES} languages` })
  .refine((tags) => new Set(tags).size === tags.length, { error: 'expected each language once' });
