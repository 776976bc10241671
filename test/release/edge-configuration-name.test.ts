import { expect, it } from 'vitest';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { digestOf } from '../../src/release/digest.ts';
import { edgeConfigurationName } from '../../src/release/edge-configuration-name.ts';

const KEY = digestOf('key').repeat(2);

it('the name of an edge configuration depends on what it serves, not on the content', () => {
  const nameOf = (settings: object) => edgeConfigurationName(configurationSchema.parse(settings));
  expect(nameOf({})).toMatch(/^\d+\.\d+\.\d+.*-[0-9a-f]{8}$/);
  expect(nameOf({ docs: 'false' })).toBe(nameOf({}));
  for (const settings of [{ base_url: 'https://stays.example' }, { layout: 'packed' }, { api_keys: [KEY] }])
    expect(nameOf(settings)).not.toBe(nameOf({}));
  expect(nameOf({ api_keys: [KEY] })).toBe(nameOf({ api_keys: [digestOf('other').repeat(2)] }));
});
