import { resolve } from 'node:path';
import { KNOWN_FIELDS } from '../../contract/known-fields.ts';
import { readConfiguration, readTerms } from '../../source/configuration-file.ts';
import { type ImportOptions, importProperties } from '../files/import.ts';
import { configurationFaults, planFieldDeclarations, termsWithKnownFields } from '../mapping/declare.ts';
import { type ServiceImportOptions, serviceProperties } from './service-properties.ts';

type Options = ImportOptions &
  Pick<ServiceImportOptions, 'apiKey' | 'concurrency'> & {
    readonly declare?: boolean;
    readonly listener?: (done: number, total?: number) => void;
  };

export async function importFromService(source: string, options: Options) {
  const { apiKey, concurrency, listener } = options;
  const content = resolve(options.content);
  const { origin, host, pathname } = new URL(source);
  const faults = configurationFaults(options.content, []);
  if (faults.length > 0) return { name: host, diagnostics: faults, notes: [], unused: [] };
  const declared = options.declare ? await declareFieldsOfService({ url: source, apiKey }, content) : [];
  const state = { total: undefined as number | undefined, isWhole: true, done: 0 };
  const undeclared = new Map<string, number>();
  const candidates = serviceProperties({
    ...{ url: source, apiKey, concurrency, fields: readTerms(content).fields },
    onUndeclared: (name) => undeclared.set(name, (undeclared.get(name) ?? 0) + 1),
    onTotal: (total) => void Object.assign(state, { total }),
    onBroken: () => void Object.assign(state, { isWhole: false }),
  });
  const result = await importProperties(candidates, {
    ...options,
    ...{ verbatim: true, trustedOrigin: origin, source: origin + pathname.replace(/\/$/, '') },
    total: () => state.total,
    isWhole: () => state.isWhole,
    onDone: () => listener?.(++state.done, state.total),
  });
  const unused = [...undeclared].map(([name, filled]) => ({
    ...{ name, filled, secret: undefined, looks: '' },
    field: Object.keys(KNOWN_FIELDS).find((field) => name === `attributes.${field}`),
  }));
  return { name: host, diagnostics: [], notes: [], unused, result, ...(declared.length > 0 && { declared }) };
}

/** Declares the fields of a service, and returns their names. Reads only one property: all have the same fields. */
async function declareFieldsOfService(
  service: ServiceImportOptions,
  content: string,
): Promise<readonly string[]> {
  const { fields: own = {} } = readConfiguration(content).usable;
  const { fields } = termsWithKnownFields(content);
  for await (const { raw } of serviceProperties({ ...service, concurrency: 1, fields })) {
    if (!raw) continue;
    const isNew = (name: string) => Object.hasOwn(raw, name) && !Object.hasOwn(own, name);
    const names = Object.keys(KNOWN_FIELDS).filter(isNew);
    if (names.length > 0) planFieldDeclarations(content, names).write();
    return names;
  }
  return [];
}
