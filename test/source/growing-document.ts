/** Documents that grow to any size by repetition, for which reading may take more than linear time. */
import fc from 'fast-check';

/** A document of about a length, in UTF-16 units. */
export type GrowingDocument = {
  readonly toString: () => string;
  readonly ofLength: (length: number) => string;
};

const choice = (...values: string[]) => fc.constantFrom(...values);

const FIELDS = [
  ...['id', 'title', 'currency', 'email', 'phone', 'zip_code', 'city', 'state', 'address', 'country'],
  ...[
    'latitude',
    'longitude',
    'facilities',
    'photo',
    'hotel_policy',
    'payment_method',
    'x',
    'titel',
    'check_in',
  ],
];

const key = fc.oneof(
  fc.constantFrom(...FIELDS).map((field) => `${field}: `),
  choice(
    'description: ',
    'detail: ',
    'file: ',
    'url: ',
    'position: ',
    'policy_type: ',
    'is_enabled: ',
    '"a": ',
  ),
);

const value = fc.oneof(
  choice(
    'x',
    'x y',
    '"x"',
    "'x'",
    "''",
    '""',
    '>-\n',
    '|\n',
    '|-\n  ',
    '>\n',
    '~',
    'null',
    '[]',
    '{}',
    '[x]',
  ),
  choice(
    '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11',
    '-9.04',
    '53,27',
    '9.04 W',
    '+353 1 605 7700',
    '00353 1 6057700',
  ),
  choice(
    'a@b.example',
    'https://a.example/b',
    '../a.jpg',
    'check_in',
    'yes',
    'true',
    'EUR',
    'Ireland',
    'wi-fi',
  ),
);

/** Marks of YAML, white space, and text that is slow to normalise, compare or cut. */
const piece = fc.oneof(
  choice(
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\r\n',
    '\t',
    '\n ',
    '\n  ',
    '\n    ',
    '\n\t',
    '\r',
    '\u00a0',
    '\u2028',
    '\ufeff',
  ),
  choice(
    '[',
    ']',
    '{',
    '}',
    ',',
    ', ',
    ':',
    ': ',
    '?',
    '? ',
    '- ',
    '-',
    '\n- ',
    '\n  - ',
    '|',
    '>',
    '@',
    '`',
    '%',
  ),
  choice(
    '"',
    "'",
    '\\',
    '\\"',
    '\\n',
    '\\u0041',
    "''",
    '""',
    '#',
    ' #',
    '\n#',
    '# x\n',
    '<<<<<<< x\n',
    '...\n',
  ),
  choice(
    '&a',
    '&a ',
    '*a',
    '*a ',
    '*a, ',
    '!',
    '!!str ',
    '---\n',
    '--- ',
    '%TAG x\n',
    '<<: *a\n',
    '\u0000',
    '\u0007',
  ),
  choice(
    'x',
    'a',
    'é',
    'e\u0301',
    '\u0301',
    '\u0315\u0300',
    '한',
    '\u1100\u1161',
    'ﷺ',
    '😀',
    '\ud83d',
    '\u200e',
    '“',
    '0',
  ),
  choice(
    '9',
    '.',
    '+',
    '(',
    'a.',
    'a@',
    '.a',
    '/',
    '%2f',
    '../',
    '-9',
    '1 ',
    'A',
    'null',
    '~',
    ' x',
    'x ',
    'xy\n',
  ),
);

const fragment = fc
  .array(
    fc.oneof({ weight: 3, arbitrary: piece }, { weight: 1, arbitrary: key }, { weight: 1, arbitrary: value }),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((parts) => parts.join(''));

const beginning = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(key, fc.option(fragment, { nil: '' })).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fragment },
  {
    weight: 3,
    arbitrary: choice(
      'photo:\n  - file: ',
      'photo:\n  - url: ',
      'photo:\n  - description: |\n      ',
      'hotel_policy:\n  - detail: ',
      'facilities: [',
      'facilities:\n',
      'title: "',
      "title: '",
      'a: &a [x, x]\nfacilities: [',
    ),
  },
);

/** With a counter in it, all repeated pieces differ. */
const repeated = fc.record({ fragment, counted: fc.boolean(), second: fc.option(fragment, { nil: '' }) });

/** Fields of a sound property. */
const SOUND = `id: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11
title: Rose Cottage
currency: EUR
email: stay@rose.example
phone: +353 1 605 7700
city: Galway
country: IE
latitude: 53.27194
longitude: -9.04889
`;

/** A beginning, a repeated piece, and an end; sometimes behind the fields of a sound property. */
export const growingDocument: fc.Arbitrary<GrowingDocument> = fc
  .record({
    before: choice('', '', SOUND),
    beginning,
    repeated,
    end: fc.oneof(choice('', '\n', ']', '}', '"', "'", '\t', ':', '\n: x', '#'), fragment),
  })
  .map(({ before, beginning, repeated: { fragment: first, counted, second }, end }) => {
    const start = before + beginning;
    const ofLength = (length: number) => {
      const parts = [start];
      let size = start.length + end.length;
      for (let count = 0; size < length; count++) {
        const part = counted ? first + count + second : first + second;
        parts.push(part);
        size += part.length;
      }
      return parts.join('').slice(0, length - end.length) + end;
    };
    return { ofLength, toString: () => JSON.stringify({ start, first, counted, second, end }) };
  });
