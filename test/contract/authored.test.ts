import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { type AuthoredProperty, authoredSchema } from '../../src/contract/authored.ts';
import { COUNTRIES, CURRENCIES } from '../../src/contract/country-and-currency-tables.ts';
import { CONTROL_CHARACTER } from '../../src/text/control-characters.ts';

type Fields = Record<string, unknown>;

const SOUND: Fields = {
  id: '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11',
  title: 'Rose Cottage',
  currency: 'EUR',
  city: 'Galway',
  country: 'IE',
  latitude: '53.27194',
  longitude: '-9.04889',
};

function accepted(fields: Fields): AuthoredProperty {
  return authoredSchema.parse({ ...SOUND, ...fields });
}

/** Code and path of every issue. */
function refused(fields: Fields): [code: string, path: string][] {
  const result = authoredSchema.safeParse({ ...SOUND, ...fields });
  return (result.error?.issues ?? []).map((issue) => [codeOf(issue), issue.path.join('.')]);
}

function codeOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'custom' ? String(issue.params?.code) : issue.code;
}

/** The first code, as the report of a file shows it. */
const firstCode = (fields: Fields) => refused(fields)[0]?.[0];

const TEXTS = ['title', 'zip_code', 'city', 'state', 'address'] as const;

describe('the fields', () => {
  it('are required for exactly these names', () => {
    for (const key of Object.keys(SOUND)) {
      expect(refused({ [key]: undefined })).toEqual([['invalid_type', key]]);
    }
    expect(accepted({})).toEqual({
      ...SOUND,
      draft: '',
      live_from: '',
      live_until: '',
      email: '',
      phone: '',
      zip_code: '',
      state: '',
      address: '',
      facilities: [],
      photo: [],
      hotel_policy: [],
      payment_method: [],
    });
  });

  it.each(['email', 'phone', 'zip_code', 'state', 'address'])('%s may be empty', (key) => {
    expect(accepted({ [key]: '' })).toMatchObject({ [key]: '' });
  });

  it('are refused when the schema does not know them, whatever their name is', () => {
    for (const key of ['titel', 'Title', '__proto__', 'constructor', 'toString', '', '<<']) {
      const fields = Object.fromEntries([...Object.entries(SOUND), [key, 'x']]);
      const issues = authoredSchema.safeParse(fields).error?.issues;
      expect(issues).toMatchObject([{ code: 'unrecognized_keys', keys: [key] }]);
    }
  });

  it.each([
    ['title', ['a']],
    ['title', { a: 'b' }],
    ['title', null],
    ['facilities', 'wifi'],
    ['facilities', { wifi: 'yes' }],
    ['photo', { file: 'a.jpg' }],
    ['hotel_policy', 'none'],
    ['payment_method', [['direct']]],
  ])('are refused in another shape: %s', (key, value) => {
    expect(refused({ [key]: value })[0]?.[0]).toBe('invalid_type');
  });
});

describe('texts', () => {
  it.each(TEXTS)('%s is trimmed and brought to NFC', (key) => {
    expect(accepted({ [key]: '\u00a0 Cafe\u0301  Ωmega \ufeff' })).toMatchObject({ [key]: 'Café  Ωmega' });
  });

  it.each([
    'a\tb',
    'a\nb',
    'a\0b',
    'a\u001bb',
    'a\u007fb',
    'a\u0085b',
    'a\u009fb',
    'a\u2028b',
    'a\u2029b',
    'a\ufeffb',
  ])('with a control character are refused: %j', (value) => {
    for (const key of TEXTS) expect(firstCode({ [key]: value })).toBe('control-character');
    expect(firstCode({ facilities: [value] })).toBe('control-character');
    expect(firstCode({ hotel_policy: [{ policy_type: value, detail: 'x' }] })).toBe('control-character');
    if (value.includes('\n')) return;
    expect(firstCode({ hotel_policy: [{ policy_type: 'x', detail: value }] })).toBe('control-character');
    expect(firstCode({ photo: [{ file: 'a.jpg', description: value }] })).toBe('control-character');
  });

  it('over several lines keep them in the detail of a policy and the description of a photo (E3)', () => {
    for (const [written, published] of [
      ['a\nb', 'a\nb'],
      ['a\r\n\r\nb\rc', 'a\n\nb\nc'],
      ['\n\n  a  \n  b\n\n', 'a  \n  b'],
    ] as const) {
      expect(
        accepted({ hotel_policy: [{ policy_type: 'x', detail: written }] }).hotel_policy[0]?.detail,
      ).toBe(published);
      expect(accepted({ photo: [{ file: 'a.jpg', description: written }] }).photo[0]?.description).toBe(
        published,
      );
    }
    expect(firstCode({ hotel_policy: [{ policy_type: 'x', detail: ' \n ' }] })).toBe('empty-text');
  });

  it.each([
    '\u061c',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2069',
  ])('with a direction mark are refused: %j', (mark) => {
    for (const key of TEXTS) {
      expect(firstCode({ [key]: `a${mark}b` })).toBe('direction-mark');
      expect(firstCode({ [key]: `a${mark}` })).toBe('direction-mark');
    }
  });

  it.each(['a\ud800', '\udc00b', 'a\ud83db'])('with half of a surrogate pair are refused: %j', (value) => {
    for (const key of TEXTS) expect(firstCode({ [key]: value })).toBe('invalid-unicode');
  });

  it.each(['😀 👨‍👩‍👧', 'שלום', 'ภาษาไทย', '한국어', 'می‌خواهم', '𝔘', '0', '-', '~', 'null', 'a/b\\c"d\''])(
    'are accepted in any script and with any other sign: %s',
    (value) => {
      for (const key of TEXTS) expect(accepted({ [key]: value })).toMatchObject({ [key]: value });
    },
  );

  it('are refused with the name of the wrong character', () => {
    const { error } = authoredSchema.safeParse({ ...SOUND, title: 'a\u202eb' });
    expect(error?.issues).toMatchObject([{ params: { code: 'direction-mark', character: 'U+202E' } }]);
  });

  it('name a control character by its code', () => {
    const { error } = authoredSchema.safeParse({ ...SOUND, title: 'a\u0007b' });
    expect(error?.issues).toMatchObject([{ params: { code: 'control-character', character: 'U+0007' } }]);
  });

  it('have at most 30 marks on a letter, and a title 500 characters', () => {
    expect(refused({ city: `a${'\u0323'.repeat(30)}`, title: '😀'.repeat(500) })).toEqual([]);
    expect(refused({ city: `a${'\u0323'.repeat(31)}` })).toEqual([['too-many-marks', 'city']]);
    expect(refused({ title: 'a'.repeat(501) })).toEqual([['title-too-long', 'title']]);
  });

  it.each(['title', 'city'])('%s must not be blank', (key) => {
    expect(firstCode({ [key]: '' })).toBe('empty-text');
    expect(firstCode({ [key]: ' \u00a0 ' })).toBe('empty-text');
  });
});

describe('id', () => {
  it.each([
    ['5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11', '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11'],
    [' 5F3C1C1E-8D0A-4C56-9A59-3F6F0A8F3C11 ', '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11'],
    ['01932c07-209c-7e40-8f2c-1b6d0d5f8a11', '01932c07-209c-7e40-8f2c-1b6d0d5f8a11'],
  ])('%j is %s', (value, id) => expect(accepted({ id: value }).id).toBe(id));

  it.each([
    '',
    'rose-cottage',
    '5f3c1c1e8d0a4c569a593f6f0a8f3c11',
    '{5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11}',
    'urn:uuid:5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11',
    '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c1',
    '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c111',
    '5f3c1c1g-8d0a-4c56-9a59-3f6f0a8f3c11',
    '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11/..',
  ])('%j is refused', (value) => expect(refused({ id: value })).toEqual([['invalid-id', 'id']]));
});

describe('currency', () => {
  it('is any code in use', () => {
    expect(Object.keys(CURRENCIES).length).toBeGreaterThan(140);
    for (const currency of Object.keys(CURRENCIES)) expect(accepted({ currency }).currency).toBe(currency);
  });

  it.each(['', 'eur', 'Euro', '€', 'DEM', 'BGN', 'XXX', 'XAU', 'XTS', 'toString', '__proto__', '978'])(
    '%j is refused',
    (currency) => expect(refused({ currency })).toEqual([['unknown-currency', 'currency']]),
  );
});

describe('country', () => {
  it('is any code of ISO 3166-1, or XK', () => {
    expect(Object.keys(COUNTRIES)).toHaveLength(250);
    for (const country of Object.keys(COUNTRIES)) expect(accepted({ country }).country).toBe(country);
    expect(accepted({ country: 'NO' }).country).toBe('NO');
  });

  it.each(['', 'ie', 'Ireland', 'UK', 'EU', 'IRL', 'ZZ', 'AN', 'SU', 'constructor', 'false'])(
    '%j is refused',
    (country) => expect(refused({ country })).toEqual([['unknown-country', 'country']]),
  );
});

describe('email', () => {
  it.each(['stay@rose.example', 'a.b+c@d.rose.example', "o'brien@rose.example"])('%j is valid', (email) =>
    expect(accepted({ email }).email).toBe(email),
  );

  it.each([
    'stay',
    'stay@',
    '@rose.example',
    'a b@rose.example',
    'a@b@c.example',
    'Rose <stay@rose.example>',
    'mailto:a@b.example',
    'a@rose',
    'möwe@haus.de',
    'info@möwe',
    'info@\u200dhaus.de',
    `${'a'.repeat(65)}@rose.example`,
    `a@${'b.'.repeat(130)}example`,
  ])('%j is refused', (email) => expect(refused({ email })).toEqual([['invalid-email', 'email']]));

  it.each([
    ['info@möwe-haus.de', 'info@xn--mwe-haus-n4a.de'],
    ['Info@MÖWE-haus.de', 'Info@xn--mwe-haus-n4a.de'],
    ['stay@例え.jp', 'stay@xn--r8jz45g.jp'],
    ['a@дом.рф', 'a@xn--d1aqf.xn--p1ai'],
  ])('%j has its domain published in ASCII (A10)', (email, published) =>
    expect(accepted({ email }).email).toBe(published),
  );
});

describe('phone', () => {
  it.each(['+353 1 605 7700', '+33123456789', '+44 20 7946 0018', '+1 (202) 555-0143', '+353 67 000 0000'])(
    '%j is possible, and kept as typed',
    (phone) => expect(accepted({ phone }).phone).toBe(phone),
  );

  it.each([
    '01 605 7700',
    '00353 1 605 7700',
    '+353',
    '+353 1',
    '+999 123 456 789',
    '+353 1 605 7700 7700 7700',
    'call us',
    '+',
    '＋353 1 605 7700',
    '+353 1 605 7700 or +353 1 605 7701',
    'tel:+353 1 605 7700',
  ])('%j is not possible', (phone) => expect(refused({ phone })).toEqual([['invalid-phone', 'phone']]));
});

describe('city', () => {
  it('has at most 120 bytes of UTF-8', () => {
    for (const city of ['x'.repeat(120), 'é'.repeat(60), '東'.repeat(40), '😀'.repeat(30)]) {
      expect(accepted({ city }).city).toBe(city);
      expect(refused({ city: `${city}x` })).toEqual([['city-too-long', 'city']]);
    }
    // Only the published photos count.
    expect(accepted({ city: ` ${'e\u0301'.repeat(60)} ` }).city).toBe('é'.repeat(60));
  });
});

describe.each([
  ['latitude', 90],
  ['longitude', 180],
] as const)('%s', (key, limit) => {
  it.each([
    '0',
    '-0',
    '0.0',
    '48.85660',
    '-48.000000',
    `${limit}`,
    `-${limit}`,
    `${limit}.000`,
    `${limit - 1}.${'9'.repeat(30)}`,
    ' 1.5 ',
  ])('%j is valid, and kept as typed', (value) => {
    expect(accepted({ [key]: value })).toMatchObject({ [key]: value.trim() });
  });

  it.each([
    '',
    '+1',
    '01.5',
    '1.',
    '.5',
    '1,5',
    '1e1',
    '1_0',
    '0x1F',
    '0o17',
    'NaN',
    'Infinity',
    '.inf',
    '--1',
    '- 1',
    '5 3',
    '53°16′N',
    '1.5N',
    '٥٣',
    `${limit + 1}`,
    `-${limit}.1`,
    `${limit}.00000000000000000000000001`,
    `1.${'0'.repeat(31)}`,
    '1000',
  ])('%j is refused', (value) => expect(refused({ [key]: value })).toEqual([[`invalid-${key}`, key]]));
});

describe('facilities', () => {
  it('keep their order and their repetitions', () => {
    expect(accepted({ facilities: ['b', ' a ', 'b'] }).facilities).toEqual(['b', 'a', 'b']);
  });

  it.each([
    [[''], 'empty-text'],
    [['a', ' '], 'empty-text'],
    [[null], 'invalid_type'],
    [[['a']], 'invalid_type'],
    [[{ a: 'b' }], 'invalid_type'],
  ])('must be texts: %j', (facilities, code) => expect(firstCode({ facilities })).toBe(code));
});

describe('live_from and live_until', () => {
  it('leave a day or more', () => {
    expect(refused({ live_from: '2027-04-01', live_until: '2027-04-01' })).toEqual([]);
    expect(refused({ live_from: '2027-04-02', live_until: '2027-04-01' })).toEqual([
      ['live-times-reversed', 'live_until'],
    ]);
  });
});

describe('photo', () => {
  const photo = (fields: Fields) => ({ photo: [fields] });

  it('has a thumbnail with a link alone', () => {
    const link = { url: 'https://a.example/a.jpg', thumbnail: 'https://a.example/b.jpg' };
    expect(refused(photo(link))).toEqual([]);
    expect(refused(photo({ file: 'a.jpg', thumbnail: link.thumbnail }))).toEqual([
      ['needless-thumbnail', 'photo.0.thumbnail'],
    ]);
  });

  it.each([
    'a.jpg',
    './a.jpg',
    '../photos/a b.jpg',
    'ä/東.png',
    'a..jpg',
    '...',
    'a,b;c.jpg',
    '#1.jpg',
    'a%20b.jpg',
  ])('accepts the file %j', (file) => expect(accepted(photo({ file })).photo).toEqual([{ file }]));

  it.each([
    ['/etc/passwd', 'invalid-photo-path'],
    ['~/a.jpg', 'invalid-photo-path'],
    ['C:\\a.jpg', 'invalid-photo-path'],
    ['c:a.jpg', 'invalid-photo-path'],
    ['photos\\a.jpg', 'invalid-photo-path'],
    ['photos/', 'invalid-photo-path'],
    ['\\\\server\\a.jpg', 'invalid-photo-path'],
    ['', 'empty-text'],
    ['a\0.jpg', 'control-character'],
  ])('refuses the file %j', (file, code) => expect(firstCode(photo({ file }))).toBe(code));

  it.each([
    'https://p.example/a.jpg',
    'HTTPS://P.EXAMPLE/a',
    'https://p.example:8443/a?b=c&d#e',
    'https://münchen.example/ä.jpg',
  ])('accepts the url %j', (url) => expect(accepted(photo({ url })).photo).toEqual([{ url }]));

  it.each([
    ['http://p.example/a.jpg', 'invalid-url'],
    ['//p.example/a.jpg', 'invalid-url'],
    ['p.example/a.jpg', 'invalid-url'],
    ['https://', 'invalid-url'],
    ['https:///a.jpg', 'invalid-url'],
    ['https:p.example/a.jpg', 'invalid-url'],
    ['https://p.example/a b.jpg', 'invalid-url'],
    ['https://p.example\\a.jpg', 'invalid-url'],
    ['https://p.example:99999/', 'invalid-url'],
    ['javascript:alert(1)', 'invalid-url'],
    ['data:image/png;base64,AA', 'invalid-url'],
    ['ftp://p.example/a', 'invalid-url'],
    ['', 'empty-text'],
  ])('refuses the url %j', (url, code) => expect(firstCode(photo({ url }))).toBe(code));

  it('has either a file or a url', () => {
    expect(refused(photo({ description: 'x' }))).toEqual([['photo-source', 'photo.0']]);
    expect(refused(photo({ file: 'a.jpg', url: 'https://p.example/a.jpg' }))).toEqual([
      ['photo-source', 'photo.0'],
    ]);
  });

  it('may have a description, an id and a position', () => {
    const entry = {
      file: 'a.jpg',
      description: 'The garden',
      id: '0B9B1A5E-7c1d-4b6e-9a53-6f0f5a1a2b3c',
      position: '999999999',
    };
    expect(accepted(photo(entry)).photo).toEqual([
      { ...entry, id: entry.id.toLowerCase(), position: 999_999_999 },
    ]);
  });

  it.each(['0', '-1', '+1', '01', '1.0', '1e3', '0x1', 'first', '', '1000000000'])(
    'refuses the position %j',
    (position) =>
      expect(refused(photo({ file: 'a.jpg', position }))).toEqual([['invalid-position', 'photo.0.position']]),
  );

  it('has its place in the list as position unless one is written', () => {
    const files = (...positions: (string | undefined)[]) => ({
      photo: positions.map((position, index) => ({ file: `${index}.jpg`, ...(position && { position }) })),
    });
    expect(refused(files(undefined, undefined, undefined))).toEqual([]);
    expect(refused(files('3', '2', '1'))).toEqual([]);
    expect(refused(files('7', '7'))).toEqual([['duplicate-position', 'photo.1.position']]);
    expect(refused(files('2', undefined))).toEqual([['duplicate-position', 'photo.1.position']]);
    expect(refused(files(undefined, '1', '1'))).toEqual([
      ['duplicate-position', 'photo.1.position'],
      ['duplicate-position', 'photo.2.position'],
    ]);
  });

  it('appears once, or has an id each time', () => {
    const id = '0b9b1a5e-7c1d-4b6e-9a53-6f0f5a1a2b3c';
    expect(refused({ photo: [{ file: 'a.jpg' }, { file: 'a.jpg' }] })).toEqual([
      ['duplicate-photo', 'photo.1'],
    ]);
    expect(refused({ photo: [{ url: 'https://p.example/a' }, { url: 'https://p.example/a' }] })).toEqual([
      ['duplicate-photo', 'photo.1'],
    ]);
    expect(refused({ photo: [{ file: 'a.jpg' }, { file: 'a.jpg', id }] })).toEqual([]);
    expect(
      refused({
        photo: [
          { file: 'a.jpg', id },
          { file: 'b.jpg', id: id.toUpperCase() },
        ],
      }),
    ).toEqual([['duplicate-photo', 'photo.1']]);
  });

  it('has no other fields', () => {
    expect(refused(photo({ file: 'a.jpg', caption: 'x' }))).toEqual([['unrecognized_keys', 'photo.0']]);
  });
});

describe('hotel_policy', () => {
  it('has a type and a detail', () => {
    const hotel_policy = [{ policy_type: 'check_in', detail: 'From 15:00.' }];
    expect(accepted({ hotel_policy }).hotel_policy).toEqual(hotel_policy);
  });

  it.each([
    [{ policy_type: 'check_in' }, ['invalid_type', 'hotel_policy.0.detail']],
    [{ detail: 'x' }, ['invalid_type', 'hotel_policy.0.policy_type']],
    [{ policy_type: '', detail: 'x' }, ['empty-text', 'hotel_policy.0.policy_type']],
    [{ policy_type: 'x', detail: ' ' }, ['empty-text', 'hotel_policy.0.detail']],
    [{ policy_type: 'x', detail: 'y', z: '' }, ['unrecognized_keys', 'hotel_policy.0']],
  ])('is refused: %j', (policy, issue) => expect(refused({ hotel_policy: [policy] })).toEqual([issue]));
});

describe('payment_method', () => {
  it.each([
    ['true', 'direct', true],
    ['false', 'property', false],
    [' true ', ' property ', true],
  ])('%j and %j', (is_enabled, method_type, enabled) => {
    expect(accepted({ payment_method: [{ is_enabled, method_type }] }).payment_method).toEqual([
      { is_enabled: enabled, method_type: method_type.trim() },
    ]);
  });

  it.each(['yes', 'no', 'True', 'TRUE', 'on', '1', '0', '', 'null', '~'])(
    'is_enabled %j is refused',
    (is_enabled) =>
      expect(refused({ payment_method: [{ is_enabled, method_type: 'direct' }] })).toEqual([
        ['invalid-boolean', 'payment_method.0.is_enabled'],
      ]),
  );

  it.each(['cash', 'Direct', '', 'directly'])('method_type %j is refused', (method_type) =>
    expect(refused({ payment_method: [{ is_enabled: 'true', method_type }] })).toEqual([
      ['unknown-method-type', 'payment_method.0.method_type'],
    ]),
  );
});

describe('the examples of the schema', () => {
  it('are valid', () => {
    const examples: Fields = {};
    for (const [key, field] of Object.entries(authoredSchema.shape)) {
      const [example] = (field.meta()?.examples as unknown[] | undefined) ?? [];
      if (example !== undefined) examples[key] = example;
    }
    // An id is no field of the examples: two properties that copy it would collide (E2).
    expect(Object.keys(examples)).toHaveLength(18);
    examples.id = '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11';
    expect(refused(examples)).toEqual([]);
  });
});

describe('a text', () => {
  const piece = fc.constantFrom(
    'a',
    'B',
    ' ',
    'é',
    'e\u0301',
    '\u212b',
    '東',
    '\u00a0',
    '\u00ad',
    '\u200e',
    '\n',
    '~',
    '\u02ff',
    '\u0300',
  );

  it('is trimmed and in NFC, without forbidden characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: piece, maxLength: 8 }), (address) => {
        const tidy = address.trim().normalize('NFC');
        if (CONTROL_CHARACTER.test(tidy)) expect(refused({ address })).toHaveLength(1);
        else expect(accepted({ address }).address).toBe(tidy);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a link', () => {
  const piece = fc.constantFrom(
    'a',
    'x',
    '1',
    '.',
    '-',
    '--',
    '/',
    '/a',
    ':',
    ':80',
    '%',
    '@',
    '?',
    '#',
    '_',
    ' ',
    'xn--',
    'é',
  );

  it('is one that a URL parser accepts', () => {
    fc.assert(
      fc.property(fc.string({ unit: piece, maxLength: 10 }), (rest) => {
        const url = `https://${rest}`;
        try {
          new URL(url);
        } catch {
          expect(refused({ photo: [{ url }] })).toEqual([['invalid-url', 'photo.0.url']]);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
