/** What a catalogue says of itself: its page, `index.json`, the OpenAPI document and the feed show it. */
import type { Configuration } from './configuration.ts';

/** Whom to ask about a catalogue. */
export type Contact = NonNullable<Configuration['contact']>;

/** What a catalogue says of itself. */
export type About = {
  readonly title: string;
  readonly description?: string;
  readonly contact?: Contact;
  /** Key of the logo. */
  readonly logo?: string;
};

/**
 * What a configuration says of the catalogue; what it does not say is left out.
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
