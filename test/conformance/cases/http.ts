import { type Case, type Expectation, page, problem, rowOf } from '../case.ts';
import type { Fixture } from '../fixture.ts';

const REFUSED: Expectation = { kind: 'refused' };
const PREFLIGHT: Expectation = { kind: 'preflight' };

/** Methods, HEAD, CORS. */
export function methodCases({ base, summaries, files }: Fixture): Case[] {
  const row = rowOf('methods');
  const list = `${base}/api/v1/public/properties`;
  const detail = `${list}/${summaries[0]!.id}`;
  const media = `${base}/${[...files.keys()].find((key) => key.startsWith('media/'))!}`;
  const cases: Case[] = [];
  const paths = [
    list,
    `${list}?filter[country]=FR`,
    `${list}?filter[contry]=FR`,
    detail,
    `${list}/x`,
    `${base}/api/v1/public/x`,
  ];
  for (const target of paths) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      cases.push(
        row(`${method} ${target}`, target, problem('method-not-allowed'), {
          method,
          headers: [['Content-Length', '0']],
        }),
      );
    }
    cases.push(
      row(`PROPFIND ${target}`, target, problem('method-not-allowed'), { method: 'PROPFIND', or: [REFUSED] }),
    );
    cases.push(
      row(`TRACE ${target}`, target, problem('method-not-allowed'), { method: 'TRACE', or: [REFUSED] }),
    );
    cases.push(row(`OPTIONS ${target}`, target, PREFLIGHT, { method: 'OPTIONS' }));
    for (const wanted of ['x-api-key', 'range', 'catalogue-release,if-none-match']) {
      const asked: [string, string][] = [
        ['Origin', 'https://example.com'],
        ['Access-Control-Request-Method', 'GET'],
        ['Access-Control-Request-Headers', wanted],
      ];
      cases.push(
        row(`OPTIONS of a browser ${target}: ${wanted}`, target, PREFLIGHT, {
          method: 'OPTIONS',
          headers: asked,
        }),
      );
    }
  }
  const heads: [string, Expectation][] = [
    [list, page()],
    [`${list}?filter[city]=Paris&page[number]=2`, page({ city: 'Paris', number: 2 })],
    [`${list}?page[number]=99`, page({ number: 99 })],
    [`${list}?filter[city]=Nowhere`, page({ city: 'Nowhere' })],
    [`${list}?page[size]=0`, problem('invalid-page-size')],
    [detail, { kind: 'property', id: summaries[0]!.id }],
    [`${list}/x`, problem('property-not-found')],
    [`${base}/api/v1/public/x`, problem('not-found')],
    [media, { kind: 'file', key: media.slice(base.length + 1) }],
    [`${base}/absent`, problem('not-found')],
  ];
  for (const [target, expect] of heads) cases.push(row(`HEAD ${target}`, target, expect, { method: 'HEAD' }));
  cases.push(
    row('POST to a file', media, problem('method-not-allowed'), {
      method: 'POST',
      headers: [['Content-Length', '0']],
    }),
    row('DELETE of nothing', `${base}/absent`, problem('method-not-allowed'), { method: 'DELETE' }),
    row('OPTIONS of a file', media, PREFLIGHT, { method: 'OPTIONS' }),
    row('lower-case method', list, problem('method-not-allowed'), { method: 'get', or: [REFUSED, page()] }),
    row('POST with a body', list, problem('method-not-allowed'), {
      method: 'POST',
      headers: [
        ['Content-Length', '0'],
        ['Content-Type', 'application/json'],
      ],
    }),
    row('method override is ignored', `${list}?filter[country]=FR`, page({ country: 'FR' }), {
      headers: [['X-HTTP-Method-Override', 'DELETE']],
    }),
    row('Origin', list, page(), { headers: [['Origin', 'https://example.com']] }),
    row('Origin null, an error', `${list}?page[size]=0`, problem('invalid-page-size'), {
      headers: [['Origin', 'null']],
    }),
    row(
      'Accept: application/json',
      detail,
      { kind: 'property', id: summaries[0]!.id },
      { headers: [['Accept', 'application/json']] },
    ),
    row('Accept: text/html', list, page(), { headers: [['Accept', 'text/html']] }),
    row('Accept: nothing we have', `${list}/x`, problem('property-not-found'), {
      headers: [['Accept', 'image/png;q=1, */*;q=0']],
    }),
  );
  return cases;
}

/** Entity tags, revalidation, compression. */
export function cachingCases({ base, summaries }: Fixture): Case[] {
  const row = rowOf('caching');
  const list = `${base}/api/v1/public/properties`;
  const detail: Expectation = { kind: 'property', id: summaries[0]!.id };
  const targets: [string, string, Expectation][] = [
    ['a list', `${list}?filter[country]=FR`, page({ country: 'FR' })],
    ['a spelling of a list', `${list}?filter%5bcountry%5d=%46R&x`, page({ country: 'FR' })],
    ['a detail', `${list}/${summaries[0]!.id}`, detail],
    ['a file', `${base}/openapi.json`, { kind: 'file', key: 'openapi.json' }],
  ];
  const cases: Case[] = [];
  for (const [name, target, expect] of targets) {
    cases.push(
      row(`${name}: its tag`, target, expect, { revalidate: (tag) => tag }),
      row(`${name}: its tag, weak`, target, expect, { revalidate: (tag) => `W/${tag}` }),
      row(`${name}: a list of tags`, target, expect, { revalidate: (tag) => `"x", ${tag}` }),
      row(`${name}: a list of weak tags`, target, expect, { revalidate: (tag) => `W/"x",W/${tag}, "y"` }),
      row(`${name}: any tag`, target, expect, { revalidate: () => '*' }),
      row(`${name}: HEAD with its tag`, target, expect, { method: 'HEAD', revalidate: (tag) => tag }),
      row(`${name}: another tag`, target, expect, { headers: [['If-None-Match', '"another"']] }),
      row(`${name}: gzip`, target, expect, { headers: [['Accept-Encoding', 'gzip']] }),
      row(`${name}: gzip refused`, target, expect, {
        headers: [['Accept-Encoding', 'identity;q=1, gzip;q=0']],
      }),
    );
  }
  cases.push(
    row('a tag and an empty page', `${list}?page[number]=99`, page({ number: 99 }), {
      headers: [['If-None-Match', '"another"']],
    }),
    row('a condition of writers and an empty page (B16)', `${list}?page[number]=99`, page({ number: 99 }), {
      headers: [['If-Match', '"another"']],
      or: [REFUSED],
    }),
    ...(
      [
        ['page[number]=99', page({ number: 99 })],
        ['filter[city]=Nowhere', page({ city: 'Nowhere' })],
        ['filter%5Bcountry%5D=AQ&page%5Bnumber%5D=7', page({ country: 'AQ', number: 7 })],
      ] as const
    ).flatMap(([query, expect]) => {
      const target = `${list}?${query}`;
      const headers = (tag: string): [string, string][] => [['If-None-Match', tag]];
      return [
        row(`any tag and an empty page: ${target}`, target, expect, { headers: headers('*') }),
        row(`HEAD, any tag and an empty page: ${target}`, target, expect, {
          method: 'HEAD',
          headers: headers('*'),
        }),
        row(`a weak tag and an empty page: ${target}`, target, expect, { headers: headers('W/"x", "y"') }),
      ];
    }),
    row('a date and an empty page', `${list}?page[number]=99`, page({ number: 99 }), {
      headers: [['If-Modified-Since', 'Fri, 01 Jan 2038 00:00:00 GMT']],
    }),
    row('any tag and an error', `${list}?page[size]=0`, problem('invalid-page-size'), {
      headers: [['If-None-Match', '*']],
    }),
    row('a tag and an error', `${list}?page[size]=0`, problem('invalid-page-size'), {
      headers: [['If-None-Match', '"another"']],
    }),
    row('a tag and no property', `${list}/x`, problem('property-not-found'), {
      headers: [['If-None-Match', '*']],
    }),
    row('gzip and an error', `${list}?page[size]=0`, problem('invalid-page-size'), {
      headers: [['Accept-Encoding', 'gzip']],
    }),
    row('gzip and a large page', `${list}?page[size]=100`, page({ size: 100 }), {
      headers: [['Accept-Encoding', 'gzip, br']],
    }),
  );
  return cases;
}

/** Headers and targets that try to mislead a server, which may refuse invalid HTTP. */
export function hostileCases({ base }: Fixture): Case[] {
  const row = rowOf('hostile');
  const list = `${base}/api/v1/public/properties`;
  const france = page({ country: 'FR' });
  const query = `${list}?filter[country]=FR`;
  const cases: Case[] = [];
  for (const header of [
    ...['X-Original-URL', 'X-Rewrite-URL', 'X-Accel-Redirect', 'X-Forwarded-Prefix', 'X-Forwarded-Host'],
    ...['X-Catalogue-File', 'X-Sendfile', 'X-Reproxy-URL', 'X-City', 'X-Key'],
  ]) {
    cases.push(row(header, query, france, { headers: [[header, '/../canary']] }));
  }
  const illegal: [string, string][] = [
    ['a raw space', `${list}?filter[city]=A B`],
    ['a raw byte 0', `${list}?filter[city]=A\0B`],
    ['a raw tab', `${list}?filter[city]=A\tB`],
    ['a raw carriage return', `${list}?filter[city]=A\rB`],
    ['a raw #', `${list}?filter[city]=#hash`],
    ['raw bytes that are no UTF-8', `${list}?filter[city]=\xff\xfe`],
    ['raw bytes in the path', `${base}/api/v1/public/\xe9`],
    ['a raw delete', `${list}?filter[city]=A\x7fB`],
    ['no leading slash', list.slice(1)],
    ['an asterisk', '*'],
  ];
  for (const [name, target] of illegal) {
    const or: Expectation[] = [
      problem('malformed-encoding.city'),
      problem('not-found'),
      page({ city: 'A\tB' }),
      page({ city: 'A\x7fB' }),
      page({ city: 'A\0B' }),
      page({ city: '' }),
      page(),
      page({ city: '#hash' }),
    ];
    cases.push(
      row(name, target, REFUSED, {
        or:
          name.includes('#') || name === 'no leading slash'
            ? or
            : or.filter((other) => other.kind !== 'page' || other.city),
      }),
    );
  }
  for (const value of [
    ...['${jndi:ldap://127.0.0.1/a}', '<script>alert(1)</script>', "' OR 1=1 --", '{{7*7}}'],
    ...['<!--#exec cmd="id" -->', '%{REMOTE_ADDR}', '$(id)', '`id`', '\\x41', '\\0', '&#65;', 'javascript:'],
    ...['{{placeholder "http.request.host"}}', '%[src]', '"+(server.hostname)+"', '$document_root'],
    ...['${document_root}', '%{reqenv:PATH}', '$1', '\\1', '%1', '%25%7BENV:PATH%7D'],
  ]) {
    const city = encodeURIComponent(value);
    cases.push(row(`city ${value}`, `${list}?filter[city]=${city}`, page({ city: value })));
    cases.push(row(`country ${value}`, `${list}?filter[country]=${city}`, problem('invalid-country')));
    cases.push(
      row(`size ${value}`, `${list}?page[size]=${city}&page[number]=2`, problem('invalid-page-size')),
    );
    cases.push(row(`name ${value}`, `${list}?filter[${city}]=1`, problem('unknown-parameter.filter')));
    cases.push(
      row(`id ${value}`, `${list}/${encodeURIComponent(city)}`, problem('property-not-found'), {
        or: [REFUSED],
      }),
    );
  }
  return cases;
}
