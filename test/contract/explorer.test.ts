/** What the explorer's page knows of the configuration, and what it may load. */
import { expect, it } from 'vitest';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { explorerContentSecurityPolicy, explorerSettings } from '../../src/contract/explorer.ts';

const settingsOf = (settings: object) => explorerSettings(configurationSchema.parse(settings));
const imagesOf = (settings: object) =>
  /img-src ([^;]*);/.exec(explorerContentSecurityPolicy(settingsOf(settings)))?.[1];

it('the page has the description and the settings, and nothing empty', () => {
  const settings = settingsOf({ title: 'Stays', base_url: 'https://stays.example', docs: 'false' });
  expect(settings).toMatchObject({
    about: { title: 'Stays' },
    baseUrl: 'https://stays.example',
    pageSizes: 'all',
    apiKeys: false,
    docs: false,
    imageOrigins: [],
    sources: [],
  });
  for (const name of ['language', 'colours', 'tiles', 'license']) expect(settings).not.toHaveProperty(name);
  expect(Object.keys(settings.about)).toEqual(['title']);
});

it('the page has what is configured', () => {
  const contact = { email: 'stay@house.example' };
  const license = { name: 'CC0', url: 'https://cc0.example/' };
  const settings = settingsOf({
    description: 'Houses',
    contact,
    language: 'ga',
    accent: '#0A5F2C',
    api_keys: ['ab'.repeat(32)],
    license,
  });
  expect(settings).toMatchObject({
    about: { description: 'Houses', contact },
    language: 'ga',
    colours: {},
    apiKeys: true,
    license,
  });
});

it('the page loads from the catalogue alone', () => {
  expect(explorerContentSecurityPolicy(settingsOf({}))).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'",
  );
});

it('images come from the catalogue and the configured hosts alone', () => {
  const explorer = {
    image_hosts: ['https://photos.example', 'https://media.example'],
    tiles: { url: 'https://{s}.tiles.example/{z}/{x}/{y}.png', attribution: 'Tiles' },
  };
  expect(imagesOf({ media_base_url: 'https://media.example/x', explorer })).toBe(
    "'self' data: https://media.example https://photos.example https://*.tiles.example",
  );
});
