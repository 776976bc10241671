import type { Configuration } from './configuration.ts';

export type Contact = NonNullable<Configuration['contact']>;

export type About = {
  readonly title: string;
  readonly description?: string;
  readonly contact?: Contact;
  readonly logo?: string;
};

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
