import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../../contract/configuration.ts';
import { fieldsSchema } from '../../contract/field-declarations.ts';
import type { FieldTable } from '../../contract/fields.ts';
import { KNOWN_FIELDS } from '../../contract/known-fields.ts';
import { declaredTerms, type Terms } from '../../contract/terms.ts';
import type { AuthoredValue, FieldValues } from '../../editing/field-values.ts';
import { readSourceText, replaceFile } from '../../editing/read-and-replace.ts';
import { outdatedSchemas, writeSchemas } from '../../editing/schema-file.ts';
import { setFields } from '../../editing/set-fields.ts';
import { UsageError } from '../../errors/errors.ts';
import { writeAtomically } from '../../files/atomic-write.ts';
import { checkConfiguration, readConfiguration } from '../../source/configuration-file.ts';
import { CONFIGURATION_FILE } from '../../source/content-path.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { isBrokenConfiguration } from '../../source/findings.ts';
import { readYamlExactly } from '../../source/yaml-document.ts';
import { isMapping, type Mapping } from '../../values/mapping.ts';

const KNOWN = Object.fromEntries(Object.keys(KNOWN_FIELDS).map((name) => [name, {}]));

/** @param newFieldOptions the options of new fields, by field name */
export function termsWithKnownFields(
  content: string,
  newFieldOptions: Readonly<Record<string, FieldValues>> = {},
): Terms {
  const { usable }: { readonly usable: Configuration } = readConfiguration(content);
  const added = fieldsSchema.parse({ ...KNOWN, ...newFieldOptions });
  return declaredTerms({ ...usable, fields: { ...usable.fields, ...added, ...usable.fields } });
}

export function configurationFaults(content: string, named: readonly unknown[]): readonly Diagnostic[] {
  const found = readConfiguration(content).diagnostics.filter((one) => {
    const [setting, field] = one.fieldPath ?? [];
    return isBrokenConfiguration(one) || (setting === 'fields' && named.includes(String(field)));
  });
  return found.map((one) => ({ ...one, file: join(content, one.file) }));
}

export type DeclarationEdit = {
  readonly names: readonly string[];
  readonly fields: FieldTable;
  readonly write: () => void;
};

/**
 * Prepares to declare fields in catalogue.yaml, whose comments and order stay.
 * @throws UsageError `invalid-configuration` when the file cannot be edited or has errors
 */
export function planFieldDeclarations(
  content: string,
  names: readonly string[],
  optionsOf: Readonly<Record<string, FieldValues>> = {},
): DeclarationEdit {
  const added = Object.fromEntries(names.map((name) => [name, optionsOf[name] ?? {}]));
  const { configuration, write } = withSettings(content, ({ fields }) => {
    return { fields: { ...(isMapping(fields) ? fields : {}), ...added } as AuthoredValue };
  });
  return { names, fields: declaredTerms(configuration).fields, write };
}

export function declareLanguage(content: string, language: string): void {
  withSettings(content, ({ languages }) => {
    if (!Array.isArray(languages)) return { language };
    return { languages: [language, ...languages.slice(1).filter((one) => one !== language)] };
  }).write();
}

function withSettings(content: string, valuesOf: (before: Mapping) => FieldValues) {
  const path = join(content, CONFIGURATION_FILE);
  const none = { mark: '', text: '' } as const;
  const source = existsSync(path) ? readSourceText(content, CONFIGURATION_FILE) : none;
  if ('code' in source) throw refused(source.message);
  const { value } = readYamlExactly(source.text, CONFIGURATION_FILE);
  const edited = setFields(source.text, valuesOf(isMapping(value) ? value : {}));
  if ('refused' in edited) {
    // The message's usual advice does not help: `catalogue format` formats only property files.
    const advice = edited.message.replace(/Run "catalogue format".*/, 'Change it in a text editor.');
    throw refused(`Line ${edited.line}: ${advice}`);
  }
  const text = source.mark + edited.text;
  const { configuration, diagnostics } = checkConfiguration(Buffer.from(text));
  if (!configuration) throw refused(diagnostics[0]?.message ?? '');
  const write = () => {
    mkdirSync(content, { recursive: true });
    if (existsSync(path)) replaceFile(path, text);
    else writeAtomically(path, text);
    writeSchemas(content, content, outdatedSchemas(content));
  };
  return { configuration, write };
}

function refused(reason: string): UsageError {
  return new UsageError('invalid-configuration', `${CONFIGURATION_FILE} cannot be changed. ${reason}`);
}
