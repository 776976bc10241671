import { ANY, API_PATH, ID_PATTERN, PROPERTIES_FOLDER } from '../../contract/keys.ts';
import { replySettings } from '../runtime/reply-settings.ts';
import { targetCode } from '../shared/bundle.ts';
import { literal } from '../shared/query-regex.ts';
import { instructions, SERVER_FOLDER } from '../shared/readme.ts';
import { refusal } from '../shared/refusal.ts';
import type { Target, TargetInput } from '../target.ts';
import {
  apiDirectives,
  block,
  errorLocations,
  fileLocations,
  listPath,
  map,
  nginxSite,
  plainListMaps,
  plainPage,
  quoted,
  refusalMap,
  regex,
  serverDirectives,
  varyDirectives,
} from './directives.ts';

/** nginx with njs: nginx finds the file of most requests by itself, and the router that of all others. */
export const nginxNjs: Target = {
  name: 'nginx-njs',
  title: 'nginx with njs',
  generate: (input) => {
    const refused = refusal(input, 'nginx', { checksKeys: true });
    if (refused) return refused;
    const { site, steps } = nginxSite(
      input,
      'nginx-njs',
      ['libnginx-mod-http-js'],
      [`js_path ${SERVER_FOLDER}/nginx-njs/;`],
    );
    return {
      files: [
        { path: 'catalogue.js', content: targetCode('nginx-njs', replySettings(input)) },
        ...(isGuarded(input) ? [] : [{ path: 'city.js', content: targetCode('nginx-city', {}) }]),
        { path: 'http.conf', content: httpConfiguration(input) },
        { path: 'server.conf', content: serverConfiguration(input) },
        site,
        instructions(input, {
          title: 'nginx with njs',
          steps: [...steps, 'njs must be 0.7.9 or newer.'],
          publish: `dir:${SERVER_FOLDER}/public`,
        }),
      ],
    };
  },
};

/** A list that asks for a key is the router's alone: only it can check one. */
function isGuarded({ configuration }: TargetInput): boolean {
  return configuration.api_keys.length > 0;
}

/** Variables, and what they are made from; nginx computes those that are asked for. */
function httpConfiguration(input: TargetInput): string {
  const id = ID_PATTERN.replaceAll('A-F', '');
  const lines = [
    '# Include this file in the http block, with js_path the folder that it is in.',
    'js_set $catalogue_file catalogue.file;',
    ...(isGuarded(input) ? ['js_set $catalogue_permitted catalogue.permitted;'] : []),
    '',
    ...(isGuarded(input) ? [] : [...plainListMaps(input), ...cityMaps()]),
    '# Most requests for a detail.',
    ...map('$request_uri', 'id', [
      [regex(`^${literal(listPath(input))}/(?<catalogue_sent_id>${id})(?:\\?|$)`), '$catalogue_sent_id'],
    ]),
    ...refusalMap(),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The longest city that is spelled letter by letter. */
const SHORT = 16;

/**
 * The folder of a city. Starting njs takes longer than all else together, so a short one of plain letters is spelled by
 * a map, letter by letter. A map knows no case: a capital stands twice in its key.
 */
function cityMaps(): string[] {
  const digits = (letter: string) => letter.charCodeAt(0).toString(16);
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const others: [string, string][] = [
    ['-', digits('-')],
    ['+', digits(' ')],
    ['%20', digits(' ')],
  ];
  const places = Array.from(
    { length: SHORT },
    (_, place) =>
      `(?<catalogue_letter_${place}>(?<catalogue_capital_${place}>[A-Z])|[a-z-]|\\+|%20)${place > 0 ? '?' : ''}`,
  );
  return [
    '# The folder of a short city of plain letters is spelled by a map; that of another needs code.',
    ...map('$catalogue_plain_city', 'is_short', [[regex(`^${places.join('')}$`), '1']]),
    ...block('map $catalogue_letter $catalogue_digits', [
      'volatile;',
      ...letters.flatMap((letter) => [
        `${letter} ${digits(letter)};`,
        `${letter}${letter} ${digits(letter.toUpperCase())};`,
      ]),
      ...others.map(([letter, found]) => `${quoted(letter)} ${found};`),
    ]),
    '',
    'js_set $catalogue_hexadecimal city.hexadecimal;',
    ...map('$catalogue_plain_city', 'city_or_any', [
      ['""', ANY],
      ['default', '$catalogue_hexadecimal'],
    ]),
  ];
}

/** Spells the city, place by place; those behind its end add nothing. */
function spellCity(): string[] {
  return Array.from({ length: SHORT }, (_, place) => [
    `set $catalogue_letter $catalogue_letter_${place}$catalogue_capital_${place};`,
    `set $catalogue_short_city ${place > 0 ? '$catalogue_short_city' : ''}$catalogue_digits;`,
  ]).flat();
}

function serverConfiguration(input: TargetInput): string {
  const api = apiDirectives(input);
  const list = apiDirectives(input, isGuarded(input));
  const router = 'js_import catalogue from catalogue.js;';
  const unless = (variable: string, location: string) => [
    `if ($catalogue_${variable} = "") {`,
    `    rewrite ^ ${location} last;`,
    '}',
  ];
  const lines = [
    '# Include this file in a server block whose root is dist/public.',
    ...serverDirectives(input, '@catalogue'),
    '',
    ...block(`location = ${listPath(input)}`, [
      ...varyDirectives(input),
      ...list,
      ...(isGuarded(input)
        ? [router, 'rewrite ^ /$catalogue_file break;']
        : [
            'js_import city from city.js;',
            ...unless('plain', '/-catalogue/routed'),
            'if ($catalogue_is_short) {',
            '    rewrite ^ /-catalogue/short-city last;',
            '}',
            `rewrite ^ ${plainPage('$catalogue_city_or_any')} break;`,
          ]),
    ]),
    '',
    ...(isGuarded(input)
      ? []
      : [
          ...block('location = /-catalogue/short-city', [
            'internal;',
            ...api,
            ...spellCity(),
            `rewrite ^ ${plainPage('$catalogue_short_city')} break;`,
          ]),
          '',
        ]),
    ...block(`location ^~ ${input.settings.base}${API_PATH}`, [
      ...api,
      ...unless('id', '/-catalogue/routed'),
      `rewrite ^ /${PROPERTIES_FOLDER}/$catalogue_id.json break;`,
    ]),
    '',
    '# The others. The router looks at the request as it was sent.',
    ...block('location = /-catalogue/routed', [
      'internal;',
      router,
      ...api,
      'rewrite ^ /$catalogue_file break;',
    ]),
    '',
    '# Empty pages, problems, preflights.',
    ...block('location @catalogue', [router, 'js_content catalogue.answer;']),
    '',
    ...errorLocations(input, [router, 'js_content catalogue.refuse;']),
    '',
    ...fileLocations(
      input,
      '@catalogue',
      isGuarded(input) ? [router, 'if ($catalogue_permitted = "") {', '    return 401;', '}'] : [],
    ),
  ];
  return `${lines.join('\n')}\n`;
}
