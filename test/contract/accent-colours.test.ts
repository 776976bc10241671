import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accentColours } from '../../src/contract/accent-colours.ts';
import { configurationSchema } from '../../src/contract/configuration.ts';

/** Contrast by the definitions of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [one, other].map(luminance).sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const weights = [0.2126, 0.7152, 0.0722];
  return weights.reduce((sum, weight, index) => {
    const part = Number(`0x${colour.slice(1 + 2 * index, 3 + 2 * index)}`) / 255;
    return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  }, 0);
}

describe('colours derived from an accent', () => {
  it('have the contrast that text needs, in light and dark, for every accent (F)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
        const { light, dark } = accentColours(`#${number.toString(16).padStart(6, '0')}`);
        for (const ground of ['#f7f6f3', '#ffffff', '#efede8'])
          expect(contrast(light.accent, ground)).toBeGreaterThanOrEqual(4.5);
        for (const ground of ['#141615', '#1d201f', '#272b29'])
          expect(contrast(dark.accent, ground)).toBeGreaterThanOrEqual(4.5);
        for (const { accent, onAccent } of [light, dark])
          expect(contrast(accent, onAccent)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(light.soft, '#1d1b18')).toBeGreaterThanOrEqual(4.5);
        expect(contrast(dark.soft, '#eceae6')).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it('keep a readable accent unchanged', () => {
    expect(accentColours('#0b6b63').light.accent).toBe('#0b6b63');
  });
});

describe('the settings of title, description, accent and contact', () => {
  const refused = (settings: object) => !configurationSchema.safeParse(settings).success;
  it('are checked (F)', () => {
    expect(configurationSchema.parse({ accent: '0B6B63' }).accent).toBe('#0b6b63');
    expect(configurationSchema.parse({}).title).toBe('Property catalogue');
    expect(
      [{ accent: 'red' }, { accent: '#fff' }, { title: ' ' }, { title: 'a\nb' }].filter(
        (one) => !refused(one),
      ),
    ).toEqual([]);
    expect(
      [{ contact: { name: 'A' } }, { contact: { email: 'a' } }, { language: 'English' }].filter(
        (one) => !refused(one),
      ),
    ).toEqual([]);
    expect(
      [{ logo: '' }, { explorer: { map_link: 'https://maps.example/' } }].filter((one) => !refused(one)),
    ).toEqual([]);
  });
});
