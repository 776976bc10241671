/** Reads and validates `catalogue.yaml`. */
import { type Configuration, configurationSchema } from '../contract/configuration.ts';
import { withHost } from '../contract/hosts.ts';
import { isMapping } from '../mapping.ts';
import { CONFIGURATION_FILE } from './content-path.ts';
import { compareDiagnostics, type Diagnostic } from './diagnostic.ts';
import { RETIRED_SETTINGS } from './retired-settings.ts';
import { locate, type SchemaIssue, schemaIssues } from './schema-issues.ts';
import { decodeSource } from './source-text.ts';
import { readExactly } from './yaml-document.ts';

/** A configuration, or its diagnostics. `usable`: the valid settings, with defaults for the others. */
export type CheckedConfiguration = { readonly usable: Configuration } & (
  | { readonly configuration: Configuration; readonly diagnostics: readonly [] }
  | { readonly configuration: undefined; readonly diagnostics: readonly Diagnostic[] }
);

/** Validates the configuration. `bytes`: undefined without a file, which leaves every setting at its default. */
export function checkConfiguration(bytes: Buffer | undefined): CheckedConfiguration {
  if (!bytes) return sound(configurationSchema.parse({}));
  const source = decodeSource(bytes, CONFIGURATION_FILE);
  if ('code' in source) return refused([source]);
  const document = readExactly(source.text, CONFIGURATION_FILE);
  const isRead = document.diagnostics.length === 0;
  if (!isRead && document.rest === undefined) return refused(document.diagnostics);
  const written = isRead ? document.value : document.rest;
  const own = withoutEmpty(written) ?? {};
  const value = isMapping(own) ? withHost(own) : own;
  const result = configurationSchema.safeParse(value);
  if (result.success && isRead) return sound(result.data);
  const faults = result.success ? [] : schemaIssues(result.error, written, configurationSchema);
  const found = faults.map((fault) => locate(asRetired(fault), CONFIGURATION_FILE, document));
  return refused([...document.diagnostics, ...found].sort(compareDiagnostics), value);
}

/** Turns an unknown setting that older versions had into a diagnostic that explains its removal. */
function asRetired(fault: SchemaIssue): SchemaIssue {
  const { code, path, key = '' } = fault;
  if (code !== 'unknown-key' || path.length > 0 || !(key in RETIRED_SETTINGS)) return fault;
  return { code: 'retired-setting', path, key, args: { key } };
}

function sound(configuration: Configuration): CheckedConfiguration {
  return { configuration, usable: configuration, diagnostics: [] };
}

function refused(diagnostics: readonly Diagnostic[], value: unknown = {}): CheckedConfiguration {
  const settings = Object.entries(configurationSchema.shape).flatMap(([key, schema]) => {
    const setting = (value as Record<string, unknown>)[key];
    return setting !== undefined && schema.safeParse(setting).success ? [[key, setting]] : [];
  });
  // Of two settings that exclude each other, each is valid alone.
  const { error } = configurationSchema.safeParse(Object.fromEntries(settings));
  const excluded = new Set(error?.issues.map(({ path }) => String(path[0])));
  const usable = configurationSchema.parse(
    Object.fromEntries(settings.filter(([key]) => !excluded.has(String(key)))),
  );
  return { configuration: undefined, usable, diagnostics };
}

/** Mappings whose keys are the owner's words: such a key counts even without a value. */
const OF_WORDS = new Set(['extend', 'replace', 'fields', 'choices']);

/** Drops settings without a value. */
function withoutEmpty(value: unknown, hasWords = false): unknown {
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== null || hasWords)
      .map(([key, entry]) => [key, withoutEmpty(entry ?? {}, OF_WORDS.has(key))]),
  );
}
