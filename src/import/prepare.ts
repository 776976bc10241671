/** Prepares what an import writes, without a look at files, so that threads can do it. */
import type { Terms } from '../contract/terms.ts';
import { propertyYaml } from '../editing/property-text.ts';
import {
  type Candidate,
  type ImportFinding,
  type RawProperty,
  toPropertyFile,
  type Validated,
  type ValidationOptions,
  validate,
} from './candidate.ts';

/** A candidate with its check. Plain data, for threads. */
export type Prepared = Pick<Candidate, 'at' | 'findings'> & {
  /** Undefined when it could not be read. */
  readonly validated: Validated | undefined;
  /** Original links of its photos, by index. */
  readonly links: readonly (string | undefined)[];
  /** Facilities that the vocabulary lacks. */
  readonly words: readonly string[];
  /** Text of its file; undefined where its photos are to be received first. */
  readonly text: string | undefined;
};

export type PrepareOptions = ValidationOptions & {
  /** Downloads photos given as links. */
  readonly photos: boolean;
};

export function prepare({ at, raw, findings }: Candidate, terms: Terms, options: PrepareOptions): Prepared {
  if (!raw) return { at, findings, validated: undefined, links: [], words: [], text: undefined };
  const { raw: meant, links } = options.photos ? withoutLinkForms(raw) : { raw, links: [] };
  const validated = withoutRepetition(validate(meant, terms, options), findings);
  const { property } = validated;
  const { labels } = terms.vocabulary.facilities;
  const words = (property?.facilities ?? []).filter((word) => !Object.hasOwn(labels, word));
  const isAsItIs = property?.photo.every(({ url }) => url !== undefined && !options.photos);
  const text = isAsItIs ? propertyYaml(toPropertyFile(property!), {}, terms.fields) : undefined;
  return { at, findings, validated, links, words, text };
}

/** Removes findings about fields whose lack made the row a draft. */
function withoutRepetition(validated: Validated, findings: readonly ImportFinding[]): Validated {
  const open = findings.find(({ code }) => code === 'unfinished-draft')?.field.split(', ');
  if (!open) return validated;
  const rest = validated.findings.filter(
    ({ code, field }) => code !== 'missing-key' || !open.includes(field),
  );
  return { ...validated, findings: rest };
}

/**
 * Adjusts the links of photos to be downloaded, since such links need not be valid for publishing.
 *
 * @returns the property with adjusted links, and the original links.
 */
function withoutLinkForms(raw: RawProperty): { raw: RawProperty; links: (string | undefined)[] } {
  if (!Array.isArray(raw.photo)) return { raw, links: [] };
  const links: (string | undefined)[] = [];
  const photo = raw.photo.map((one: unknown) => {
    const { thumbnail: _thumbnail, ...rest } = Object(one) as { url?: unknown; thumbnail?: unknown };
    const url = typeof rest.url === 'string' ? rest.url : undefined;
    links.push(url);
    return url === undefined ? one : { ...rest, url: url.replace(/^http:/i, 'https:') };
  });
  return { raw: { ...raw, photo }, links };
}
