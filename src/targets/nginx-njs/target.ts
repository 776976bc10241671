/** nginx's configuration finds the file of most requests; the router finds the others. */

import { nginxFiles } from '../shared/nginx/site.ts';
import { SERVER_FOLDER } from '../shared/readme.ts';
import { targetRefusal } from '../shared/refusal.ts';
import { replySettings, targetCode } from '../shared/target-code.ts';
import type { Target } from '../target.ts';

export const nginxNjs: Target = {
  title: 'nginx with njs',
  about: { use: 'a server of your own', runs: 'configuration; the router in njs for what is unusual' },
  code: {
    'nginx-njs': { entry: 'nginx-njs/router.ts' },
    'nginx-city': { entry: 'nginx-njs/city.ts', onlyWithoutApiKeys: true },
  },
  generate: (input) => {
    const isKeyed = input.configuration.api_keys.length > 0;
    return (
      targetRefusal(input, 'nginx', { checksKeys: true }) ?? {
        files: [
          { path: 'catalogue.js', content: targetCode('nginx-njs', replySettings(input)) },
          ...(isKeyed ? [] : [{ path: 'city.js', content: targetCode('nginx-city', {}) }]),
          ...nginxFiles(input, {
            target: 'nginx-njs',
            title: 'nginx with njs',
            module: 'libnginx-mod-http-js',
            directives: [`js_path ${SERVER_FOLDER}/nginx-njs/;`],
            view: SHORT_CITIES,
          }),
        ],
      }
    );
  },
};

/** Positions of letters: the configuration encodes city names of up to 16 letters, one letter at a time. */
const PLACES = Array.from({ length: 16 }, (_, place) => place);

const digitsOf = (letter: string) => letter.charCodeAt(0).toString(16);

const SHORT_CITIES = {
  places: PLACES,
  shortCityPattern: PLACES.map(
    (place) =>
      `(?<catalogue_letter_${place}>(?<catalogue_capital_${place}>[A-Z])|[a-z-]|\\+|%20)${place > 0 ? '?' : ''}`,
  ).join(''),
  letters: [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => ({
    letter,
    digits: digitsOf(letter),
    capitalDigits: digitsOf(letter.toUpperCase()),
  })),
};
