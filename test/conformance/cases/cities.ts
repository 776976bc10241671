import { bytes, type Case, overEncoded, page, rowOf } from '../case.ts';
import { type Fixture, LONGEST_CITY, select } from '../fixture.ts';

const row = rowOf('cities');

/** Every city of the fixture in every encoding, and cities that only look like one of them. */
export function cityCases(fixture: Fixture): Case[] {
  const list = `${fixture.base}/api/v1/public/properties`;
  const cases: Case[] = [];
  for (const city of fixture.cities) {
    const label = city === LONGEST_CITY ? '120 bytes' : city;
    const encoded = encodeURIComponent(city);
    const strict = encoded.replace(/[!'()*~.-]/g, (character) => overEncoded(character));
    const { country } = select(fixture.summaries, undefined, city)[0]!;
    cases.push(
      row(`${label}: encodeURIComponent`, `${list}?filter[city]=${encoded}`, page({ city })),
      row(
        `${label}: with country`,
        `${list}?filter[city]=${encoded}&filter[country]=${country}`,
        page({ country, city }),
      ),
      row(`${label}: form`, `${list}?filter%5Bcity%5D=${strict.replaceAll('%20', '+')}`, page({ city })),
      row(
        `${label}: lower-case hexadecimal`,
        `${list}?filter[city]=${strict.replace(/%../g, (hex) => hex.toLowerCase())}`,
        page({ city }),
      ),
      row(`${label}: over-encoded`, `${list}?filter[city]=${overEncoded(city)}`, page({ city })),
      row(
        `${label}: second page of one`,
        `${list}?page[size]=1&page[number]=2&filter[city]=${encoded}`,
        page({ city, size: 1, number: 2 }),
      ),
      row(
        `${label}: another country`,
        `${list}?filter[country]=ZZ&filter[city]=${encoded}`,
        page({ country: 'ZZ', city }),
      ),
    );
    // Characters that a query may contain unencoded (RFC 3986, 3.4), and bytes above 127, which a server may refuse.
    const plain = bytes(city).replace(/[^!-~\x80-\xff]|["#%&+<>[\\\]^`{|}]/g, (character) =>
      overEncoded(character),
    );
    const isLegal = !/[\x80-\xff]/.test(plain);
    cases.push(
      row(
        `${label}: raw`,
        `${list}?filter[city]=${plain}`,
        page({ city }),
        isLegal ? {} : { or: [{ kind: 'refused' }] },
      ),
    );
  }
  const absent: [string, string][] = [
    ['upper case', 'PARIS'],
    ['a space before', '%20Paris'],
    ['a space after', 'Paris+'],
    ['decomposed accents', encodeURIComponent('São Paulo'.normalize('NFD'))],
    ['without accents', 'Sao+Paulo'],
    ['hexadecimal of a city', '5061726973'],
    ['hyphen twice and more', '---'],
    ['a byte 0 after', 'Paris%00'],
    ['a byte 0 alone', '%00'],
    ['two bytes 0', '%00%00'],
    ['a line end after', 'Paris%0A'],
    ['a carriage return and line end', 'Paris%0D%0AX-Injected:%201'],
    ['a slash after', 'Paris/'],
    ['traversal', '../Paris'],
    ['encoded traversal', '..%2F..%2F..%2F..%2Fcanary'],
    ['encoded twice', 'S%25C3%25A3o%2520Paulo'],
    ['replacement character', '%EF%BF%BD'],
    ['noncharacter', '%EF%BF%BF'],
    ['last code point', '%F4%8F%BF%BF'],
    ['byte-order mark before', '%EF%BB%BFParis'],
    ['wildcard', '*'],
    ['percent sign and letters', '%25s%25n'],
    ['quotes', '%22Paris%22'],
    ['a control character', '%1B%5B31m'],
    ['delete', '%7F'],
  ];
  for (const [name, value] of absent) {
    const city = decodeURIComponent(value.replaceAll('+', ' '));
    cases.push(row(`absent: ${name}`, `${list}?filter[city]=${value}`, page({ city })));
    cases.push(
      row(
        `absent in a country: ${name}`,
        `${list}?filter[country]=FR&filter[city]=${value}&page[number]=3`,
        page({ country: 'FR', city, number: 3 }),
      ),
    );
  }
  return cases;
}
