import { hasQuotedSeconds, KNOWN_DIRECTIVES, parseCacheControl } from '../contract/cache-control-faults.ts';
import { type Configuration, configurationSchema } from '../contract/configuration.ts';
import { fieldsSchema } from '../contract/field-declarations.ts';
import { withHostDefaults } from '../contract/hosts.ts';
import { cacheLifetimeOf } from '../contract/parse-cache-control.ts';
import { declaredTerms, type Terms } from '../contract/terms.ts';
import { isMapping, type Mapping } from '../values/mapping.ts';
import { CONFIGURATION_FILE } from './content-path.ts';
import { compareDiagnostics, type Diagnostic } from './diagnostic.ts';
import { REMOVED_SETTINGS } from './diagnostic-codes.ts';
import { nearestWord } from './did-you-mean.ts';
import { readConfigurationBytes } from './scan-content.ts';
import { locateIssue, type SchemaIssue, schemaIssues } from './schema-issues.ts';
import { decodeSource } from './source-text.ts';
import { readYamlExactly } from './yaml-document.ts';

/** `usable`: the valid settings, with defaults in place of invalid ones. */
export type CheckedConfiguration = { readonly usable: Configuration } & (
  | { readonly configuration: Configuration; readonly diagnostics: readonly Diagnostic[] }
  | { readonly configuration: undefined; readonly diagnostics: readonly Diagnostic[] }
);

/** @param bytes undefined if there is no file; then all settings have their defaults */
export function checkConfiguration(bytes: Buffer | undefined): CheckedConfiguration {
  if (!bytes) return sound(configurationSchema.parse({}));
  const source = decodeSource(bytes, CONFIGURATION_FILE);
  if ('code' in source) return refused([source]);
  const document = readYamlExactly(source.text, CONFIGURATION_FILE);
  const isRead = document.diagnostics.length === 0;
  if (!isRead && document.partialValue === undefined) return refused(document.diagnostics);
  const written = isRead ? document.value : document.partialValue;
  const own = withoutNullValues(written) ?? {};
  const value = isMapping(own) ? withHostDefaults(own) : own;
  const result = configurationSchema.safeParse(value);
  const doubts = doubtfulCaching(own).map((doubt) => locateIssue(doubt, CONFIGURATION_FILE, document));
  if (result.success && isRead) return sound(result.data, doubts.sort(compareDiagnostics));
  const faults = result.success ? [] : schemaIssues(result.error, written, configurationSchema);
  const found = faults.map((fault) => locateIssue(asRetired(fault), CONFIGURATION_FILE, document));
  return refused([...document.diagnostics, ...found, ...doubts].sort(compareDiagnostics), value);
}

export function readConfiguration(content: string): CheckedConfiguration {
  return checkConfiguration(readConfigurationBytes(content));
}

export function readTerms(content: string): Terms {
  return declaredTerms(readConfiguration(content).usable);
}

function asRetired(fault: SchemaIssue): SchemaIssue {
  const { code, path, key = '' } = fault;
  if (code !== 'unknown-key' || path.length > 0 || !Object.hasOwn(REMOVED_SETTINGS, key)) return fault;
  return { code: 'retired-setting', path, key, args: { key } };
}

function sound(configuration: Configuration, diagnostics: readonly Diagnostic[] = []): CheckedConfiguration {
  return { configuration, usable: configuration, diagnostics };
}

function doubtfulCaching(settings: unknown): SchemaIssue[] {
  const written = isMapping(settings) && isMapping(settings.cache_control) ? settings.cache_control : {};
  return Object.entries(written).flatMap(([key, text]) => {
    if (typeof text !== 'string' || parseCacheControl(text).faults.length > 0) return [];
    return Array.from(doubtsIn(text), ([reason, advice]) => ({
      code: 'doubtful-cache-control' as const,
      path: ['cache_control', key],
      args: { key: `cache_control.${key}`, reason, advice },
    }));
  });
}

function* doubtsIn(text: string): Generator<[reason: string, advice: string]> {
  let isTimeMeant = false;
  for (const [name, value] of parseCacheControl(text).directives) {
    if (KNOWN_DIRECTIVES.includes(name)) continue;
    const meant = nearestWord(name, KNOWN_DIRECTIVES);
    const argument = value && `=${value}`;
    isTimeMeant ||= meant?.endsWith('age') ?? false;
    yield [
      `caches do not know "${name}"`,
      meant ? `Did you mean "${meant}${argument}"?` : `Known are ${KNOWN_DIRECTIVES.join(', ')}.`,
    ];
  }
  if (hasQuotedSeconds(text)) yield ['some caches do not read seconds in quotes', 'Leave out the quotes.'];
  const { private: own, shared } = cacheLifetimeOf(text);
  if (!isTimeMeant && (own === undefined || shared === undefined))
    yield [
      'it names no time, so caches choose one',
      'Add one in seconds, such as "max-age=60", or "no-cache".',
    ];
}

function refused(diagnostics: readonly Diagnostic[], value: unknown = {}): CheckedConfiguration {
  const settings = Object.entries(configurationSchema.shape).flatMap(([key, schema]) => {
    const given = (value as Record<string, unknown>)[key];
    const setting = key === 'fields' && isMapping(given) ? namedFields(given) : given;
    return setting !== undefined && schema.safeParse(setting).success ? [[key, setting]] : [];
  });
  // Checked together, since settings that exclude each other may be valid one by one.
  const { error } = configurationSchema.safeParse(Object.fromEntries(settings));
  const excluded = new Set(error?.issues.map(({ path }) => String(path[0])));
  const usable = configurationSchema.parse(
    Object.fromEntries(settings.filter(([key]) => !excluded.has(String(key)))),
  );
  return { configuration: undefined, usable, diagnostics };
}

/** A field whose declaration has a fault keeps its name, so that its values are not reported as undeclared. */
function namedFields(fields: Mapping): Mapping {
  const isSound = (name: string, options: unknown) => fieldsSchema.safeParse({ [name]: options }).success;
  const found = Object.entries(fields).flatMap(([name, given]) => {
    const options = [given, {}, { type: 'text' }].find((one) => isSound(name, one));
    return options ? [[name, options] as const] : [];
  });
  return Object.fromEntries(found);
}

/** In these mappings, the owner chooses the keys, so a key without a value is kept. */
const WITH_FREE_KEYS = new Set(['extend', 'replace', 'fields', 'choices']);

function withoutNullValues(value: unknown, hasFreeKeys = false): unknown {
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== null || hasFreeKeys)
      .map(([key, entry]) => [key, withoutNullValues(entry ?? {}, WITH_FREE_KEYS.has(key))]),
  );
}
