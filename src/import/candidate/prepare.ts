import type { Terms } from '../../contract/terms.ts';
import { propertyYaml } from '../../editing/property-text.ts';
import type { Mapping } from '../../values/mapping.ts';
import type { ImportFinding } from '../finding.ts';
import {
  type Candidate,
  toPropertyFile,
  type ValidatedProperty,
  type ValidationOptions,
  validateProperty,
} from './candidate.ts';

export type PreparationOptions = ValidationOptions & { readonly isDownloaded: (link: string) => boolean };

export type PreparedCandidate = Pick<Candidate, 'at' | 'key' | 'findings' | 'hiding'> & {
  /** For messages: the title, or else the reference, address, city or id; empty if the candidate cannot be read. */
  readonly name: string;
  readonly links: ReadonlyMap<string, string>;
  readonly validated: ValidatedProperty;
  /** Text of the property file before downloads change its photos; undefined for a refused candidate. */
  readonly yaml: string | undefined;
};

/** Does the work that needs neither files nor other candidates, so that another thread can do it. */
export function validateAndRenderCandidate(
  { at, raw, id, key, findings, cells = {}, hiding = [] }: Candidate,
  terms: Terms,
  options: PreparationOptions,
): PreparedCandidate {
  if (!raw) {
    const readable = id === undefined ? undefined : validateProperty({ id }, terms, options).id;
    const validated = { property: undefined, id: readable, findings: [], repairs: [] };
    return { at, name: '', findings, links: new Map(), validated, yaml: undefined };
  }
  const { raw: meant, links } = withHttpsLinks(raw, options.isDownloaded);
  const done = withoutRepetition(validateProperty(meant, terms, options), findings);
  const repairs = done.repairs.map((one) => ({ ...one, from: cells[one.field] ?? one.from }));
  // The owner knows the cell, but not the value that `decimal` made of it, so messages show the cell.
  const ofCell = (one: ImportFinding): ImportFinding => {
    const cell = cells[one.field];
    return cell === undefined
      ? one
      : { ...one, message: one.message.replace(`"${raw[one.field]}"`, () => `"${cell}"`) };
  };
  const checked = { ...done, repairs, findings: done.findings.map(ofCell) };
  const validated = options.verbatim ? { ...checked, findings: checked.findings.map(ofService) } : checked;
  const { property } = validated;
  const yaml = property && propertyYaml(toPropertyFile(property), {}, terms.fields);
  const { title, reference, address, city, id: own } = (property ?? raw) as Mapping;
  const place = [address, city].filter(Boolean).join(', ') || undefined;
  const name = String(title ?? reference ?? place ?? own ?? '');
  return { at, name, key, findings, hiding, links, validated, yaml };
}

function ofService(finding: ImportFinding): ImportFinding {
  return finding.code === 'missing-key' ? { ...finding, help: 'Enter it in the service.' } : finding;
}

function withoutRepetition(
  validated: ValidatedProperty,
  findings: readonly ImportFinding[],
): ValidatedProperty {
  const open = findings.find(({ code }) => code === 'unfinished-draft')?.field.split(', ');
  if (!open) return validated;
  const isNew = ({ code, field }: ImportFinding) => code !== 'missing-key' || !open.includes(field);
  return { ...validated, findings: validated.findings.filter(isNew) };
}

/**
 * Changes http to https in the links of photos that are downloaded, since validation refuses http. `links` maps each
 * new link to the original link.
 */
function withHttpsLinks(raw: Mapping, isDownloaded: (link: string) => boolean) {
  const links = new Map<string, string>();
  if (!Array.isArray(raw.photo)) return { raw, links };
  const photo = raw.photo.map((one: unknown) => {
    const { thumbnail: _thumbnail, ...rest } = Object(one) as { url?: unknown; thumbnail?: unknown };
    if (typeof rest.url !== 'string' || !isDownloaded(rest.url)) return one;
    const url = rest.url.replace(/^http:/i, 'https:');
    links.set(url, rest.url);
    return { ...rest, url };
  });
  return { raw: { ...raw, photo }, links };
}
