import type { Configuration } from './configuration.ts';

export type Contact = NonNullable<Configuration['contact']>;

export type AboutCatalogue = {
  readonly title: string;
  readonly description?: string;
  readonly contact?: Contact;
  readonly logo?: string;
};

export function aboutCatalogue({
  title,
  description,
  contact,
  logo,
}: Pick<Configuration, 'title' | 'description' | 'contact' | 'logo'>): AboutCatalogue {
  return {
    title,
    ...(description ? { description } : {}),
    ...(contact ? { contact } : {}),
    ...(logo?.key ? { logo: logo.key } : {}),
  };
}
