import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlace } from '../../src/source/pasted-place.ts';

const GALWAY = { latitude: '53.27194', longitude: '-9.04889' };

describe('a pasted place', () => {
  it.each([
    '53.27194, -9.04889',
    '53.27194,-9.04889',
    ' 53.27194 -9.04889 ',
    '53.27194; -9.04889',
    '53,27194; -9,04889',
    '53,27194 -9,04889',
    '53,27194, -9,04889',
    '53.27194° N, 9.04889° W',
    '53.27194N 9.04889W',
    'N 53.27194, W 9.04889',
    '9.04889 W, 53.27194 N',
    'geo:53.27194,-9.04889',
    'geo:53.27194,-9.04889;u=35?z=17',
    'geo:0,0?q=53.27194,-9.04889(Quay%20Street)',
    'https://www.openstreetmap.org/?mlat=53.27194&mlon=-9.04889#map=17/53.3/-9.1',
    'https://www.openstreetmap.org/#map=17/53.27194/-9.04889',
    'https://www.openstreetmap.org/search?query=Galway#map=17/53.27194/-9.04889',
    'https://www.google.com/maps/@53.27194,-9.04889,17z',
    'google.ie/maps/@53.27194,-9.04889,17z?entry=ttu',
    'https://www.google.com/maps/place/Galway/@53.1,-9.2,17z/data=!3m1!4b1!4m6!3m5!1s0x0!8m2!3d53.27194!4d-9.04889',
    'https://www.google.com/maps/place/53.27194,-9.04889/@53.1,-9.2,17z',
    'https://www.google.com/maps/search/53.27194,+-9.04889?entry=tts',
    'https://maps.google.com/?q=53.27194,-9.04889',
    'https://www.google.com/maps/search/?api=1&query=53.27194%2C-9.04889',
    'https://maps.apple.com/?ll=53.27194,-9.04889&q=Galway',
    'https://www.bing.com/maps?cp=53.27194~-9.04889&lvl=17',
  ])('is read from %s', (text) => {
    expect(readPlace(text)).toEqual(GALWAY);
  });

  it('may be written in degrees, minutes and seconds', () => {
    expect(readPlace(`53°16'19"N 9°02'56"W`)).toEqual({ latitude: '53.271944', longitude: '-9.048889' });
  });

  it.each([
    ['', /latitude and longitude/],
    ['53.27', /latitude and longitude/],
    ['91, 0', /latitude and longitude/],
    ['1, 2, 3', /latitude and longitude/],
    ['https://maps.app.goo.gl/AbCdEf', /short link/],
    ['https://www.openstreetmap.org/node/123', /does not contain coordinates/],
    ['https://www.google.com/maps/place/%E0%A4%A/', /does not contain coordinates/],
  ])('is not read from %j, and the message gives advice', (text, problem) => {
    expect(readPlace(text)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it.each(['Galway', '12 High Street, Galway', 'H91 TX0Y Galway'])('is the name %s', (name) => {
    expect(readPlace(` ${name} `)).toEqual({ name });
  });

  const degrees = (limit: number) =>
    fc
      .tuple(fc.integer({ min: -limit * 1e5, max: limit * 1e5 }), fc.integer({ min: 0, max: 5 }))
      .map(([units, digits]) => (units / 1e5).toFixed(digits))
      .map((text) => (Number(text) === 0 ? text.replace('-', '') : text));

  const FORMS: readonly ((latitude: string, longitude: string) => string)[] = [
    (latitude, longitude) => `${latitude}, ${longitude}`,
    (latitude, longitude) => `${latitude},${longitude}`,
    (latitude, longitude) => `${latitude.replace('.', ',')} ${longitude.replace('.', ',')}`,
    (latitude, longitude) => `geo:${latitude},${longitude}?z=3`,
    (latitude, longitude) => `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=5/1/2`,
    (latitude, longitude) => `https://www.openstreetmap.org/#map=5/${latitude}/${longitude}`,
    (latitude, longitude) => `https://www.google.com/maps/@${latitude},${longitude},17z`,
    (latitude, longitude) => `https://www.google.com/maps/search/?api=1&query=${latitude}%2C${longitude}`,
    (latitude, longitude) => `https://www.google.com/maps/place/X/@1,2,3z/data=!3d${latitude}!4d${longitude}`,
  ];

  it('keeps every digit of every place, in every form', () => {
    fc.assert(
      fc.property(degrees(90), degrees(180), fc.constantFrom(...FORMS), (latitude, longitude, form) => {
        expect(readPlace(form(latitude, longitude))).toEqual({ latitude, longitude });
      }),
    );
  });

  it('is a point on the earth, a name or a problem, for any text', () => {
    fc.assert(
      fc.property(fc.constantFrom('', 'geo:', 'https://maps.example/?q='), fc.string(), (start, text) => {
        const read = readPlace(start + text);
        if (!('latitude' in read)) return;
        expect(Math.abs(Number(read.latitude))).toBeLessThanOrEqual(90);
        expect(Math.abs(Number(read.longitude))).toBeLessThanOrEqual(180);
      }),
    );
  });
});
