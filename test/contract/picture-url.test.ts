import { describe, expect, it } from 'vitest';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { explorerSettings } from '../../src/contract/explorer.ts';
import { pictureUrl } from '../../src/contract/picture-url.ts';

const at = (pageFolderUrl: string, configuration: object) => ({
  pageFolderUrl,
  settings: explorerSettings(configurationSchema.parse(configuration)),
});

describe('pictures', () => {
  it('of the catalogue are loaded from the catalogue itself', () => {
    const preview = at('http://127.0.0.1:4000/x/', { base_url: 'https://stays.example/y' });
    expect(pictureUrl('https://stays.example/y/media/a.jpg', preview)).toBe(
      'http://127.0.0.1:4000/x/media/a.jpg',
    );
  });

  it('of a media host are loaded from that host', () => {
    const media = at('https://stays.example/', {
      base_url: 'https://stays.example',
      media_base_url: 'https://media.example/deep',
    });
    const url = 'https://media.example/deep/media/a.jpg';
    expect(pictureUrl(url, media)).toBe(url);
  });

  it('of other hosts are loaded only when the hosts are named', () => {
    const url = 'https://images.example/a.jpg';
    expect(pictureUrl(url, at('https://stays.example/', {}))).toBeUndefined();
    const named = at('https://stays.example/', { explorer: { image_hosts: ['https://images.example'] } });
    expect(pictureUrl(url, named)).toBe(url);
    expect(pictureUrl('https://images.example.evil.example/a.jpg', named)).toBeUndefined();
  });
});
