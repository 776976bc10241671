import type { Configuration } from '../../contract/configuration.ts';
import { UsageError } from '../../errors/errors.ts';
import { checkConfiguration } from '../../source/configuration-file.ts';
import type { BuildOptions } from '../context.ts';
import { type ConfigurationWithLogo, withLogo } from './logo.ts';

/** Applies options that override settings, and adds the key of the logo. */
export function withBuildOptions(
  content: string,
  configuration: Configuration,
  { baseUrl, layout }: Pick<BuildOptions, 'baseUrl' | 'layout'>,
): ConfigurationWithLogo {
  const found = withLogo(content, withBaseUrl(configuration, baseUrl));
  return layout ? { ...found, configuration: { ...found.configuration, layout } } : found;
}

function withBaseUrl(configuration: Configuration, baseUrl: string | undefined): Configuration {
  if (baseUrl === undefined) return configuration;
  const checked = checkConfiguration(Buffer.from(`base_url: ${JSON.stringify(baseUrl)}\n`)).configuration;
  if (!checked) {
    throw new UsageError(
      'invalid-base-url',
      `"${baseUrl}" is not a base URL. Give one such as https://stays.example, without query or fragment.`,
    );
  }
  return { ...configuration, base_url: checked.base_url };
}
