import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { engineName, engineVersions } from '../../src/media/engine-version.ts';

describe('the engine', () => {
  it('has the name and versions that sharp reports', () => {
    expect(engineVersions()).toEqual(sharp.versions);
  });

  it('has a valid folder name with the versions', () => {
    const name = engineName(sharp.versions);
    expect(name).toMatch(/^sharp-[\w.-]+-vips-[\w.-]+-[0-9a-f]{8}$/);
    expect(name).toContain(sharp.versions.vips);
  });

  it('has another name for another version of any codec, and the same for any order', () => {
    const versions = { sharp: '1.0.0', vips: '8.0.0', webp: '1.6.0' };
    expect(engineName({ ...versions, webp: '1.6.1' })).not.toBe(engineName(versions));
    expect(engineName({ webp: '1.6.0', vips: '8.0.0', sharp: '1.0.0' })).toBe(engineName(versions));
  });
});
