/** Reads and checks `catalogue.yaml`. */
import { isUtf8 } from 'node:buffer';
import { type Configuration, configurationSchema } from '../contract/configuration.ts';
import { compareDiagnostics, type Diagnostic, diagnose } from './diagnostic.ts';
import { readExactly } from './exact-reader.ts';
import { locate, schemaFaults } from './fault.ts';
import { CONFIGURATION_FILE } from './find.ts';
import { MAX_FILE_BYTES, notUtf8 } from './property-file.ts';

/** A configuration, or what is wrong with it. */
export type CheckedConfiguration =
  | { readonly configuration: Configuration; readonly diagnostics: readonly [] }
  | { readonly configuration: undefined; readonly diagnostics: readonly Diagnostic[] };

/** Checks the configuration. `bytes`: undefined when there is no file, which leaves every setting at its default. */
export function checkConfiguration(bytes: Buffer | undefined): CheckedConfiguration {
  if (!bytes) return { configuration: configurationSchema.parse({}), diagnostics: [] };
  if (bytes.length > MAX_FILE_BYTES) {
    const args = { bytes: bytes.length, limit: MAX_FILE_BYTES };
    return refused([diagnose('file-too-large', CONFIGURATION_FILE, null, args)]);
  }
  if (!isUtf8(bytes)) return refused([notUtf8(bytes, CONFIGURATION_FILE)]);
  const document = readExactly(bytes.toString('utf8').replace(/^\ufeff/, ''), CONFIGURATION_FILE);
  if (document.diagnostics.length > 0) return refused(document.diagnostics);
  const result = configurationSchema.safeParse(withoutEmpty(document.value) ?? {});
  if (result.success) return { configuration: result.data, diagnostics: [] };
  const faults = schemaFaults(result.error, document.value, configurationSchema);
  return refused(faults.map((fault) => locate(fault, CONFIGURATION_FILE, document)).sort(compareDiagnostics));
}

function refused(diagnostics: readonly Diagnostic[]): CheckedConfiguration {
  return { configuration: undefined, diagnostics };
}

/** A setting without a value is one that is not there. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== null)
      .map(([key, entry]) => [key, withoutEmpty(entry)]),
  );
}
