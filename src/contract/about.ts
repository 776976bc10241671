/** Description of a catalogue, shown by its page, `index.json`, the OpenAPI document and the feed. */
import type { Configuration } from './configuration.ts';

/** Contact for questions about a catalogue. */
export type Contact = NonNullable<Configuration['contact']>;

/** Description of a catalogue. */
export type About = {
  readonly title: string;
  readonly description?: string;
  readonly contact?: Contact;
  readonly logo?: string;
};

/**
 * Extracts the description from a configuration, without empty parts.
 *
 * @example
 * aboutOf(configuration) // { title: 'Property catalogue' }
 */
export function aboutOf({
  title,
  description,
  contact,
  logo,
}: Pick<Configuration, 'title' | 'description' | 'contact' | 'logo'>): About {
  return {
    title,
    ...(description ? { description } : {}),
    ...(contact ? { contact } : {}),
    ...(logo?.key ? { logo: logo.key } : {}),
  };
}
