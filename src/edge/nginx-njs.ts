import { API_PATH } from '../contract/layout.ts';
import { targetCode } from './bundle.ts';
import { instructions } from './instructions.ts';
import {
  block,
  cachingDirectives,
  fileLocations,
  listPath,
  serverDirectives,
  varyDirectives,
} from './nginx.ts';
import { refusal } from './refusal.ts';
import { replySettings } from './settings.ts';
import type { Target, TargetInput } from './target.ts';

/** nginx with njs: the router names the file, and nginx serves it. */
export const nginxNjs: Target = {
  name: 'nginx-njs',
  title: 'nginx with njs',
  generate: (input) =>
    refusal(input, 'nginx', { checksKeys: true }) ?? {
      files: [
        { path: 'catalogue.js', content: targetCode('nginx-njs', replySettings(input)) },
        { path: 'catalogue.conf', content: configuration(input) },
        instructions(input, { title: 'nginx with njs', steps: STEPS }),
      ],
    },
};

/** What the README says. */
const STEPS = [
  'Install nginx and its njs module, 0.7.9 or newer (Debian and Ubuntu: `apt-get install nginx libnginx-mod-http-js`).',
  'Copy `dist/public` to the server, such as to `/srv/catalogue/public`. Write new files beside old ones and rename them (`rsync` does), since nginx tells files apart by time and size.',
  'Copy `catalogue.js` and `catalogue.conf` to one folder, such as `/etc/nginx/catalogue`. They change only with the configuration of the catalogue.',
  'In a server block of its own, set the three: `root /srv/catalogue/public;`, `js_path /etc/nginx/catalogue/;`, `include /etc/nginx/catalogue/catalogue.conf;`. Then `nginx -t && nginx -s reload`.',
];

function configuration(input: TargetInput): string {
  const api = cachingDirectives(input, input.configuration.cache_control.api);
  const lines = [
    '# Include this file in a server block whose root is dist/public, with js_path the folder of catalogue.js.',
    'js_import catalogue from catalogue.js;',
    'js_set $catalogue_file catalogue.file;',
    '',
    ...serverDirectives(input, '@catalogue'),
    'error_page 400 = /-catalogue-refused;',
    '',
    '# The list and the details. The router looks at the request as it was sent.',
    ...block(`location = ${listPath(input)}`, [
      ...varyDirectives(input),
      ...api,
      'try_files /$catalogue_file @catalogue;',
    ]),
    '',
    ...block(`location ^~ ${input.settings.base}${API_PATH}`, [
      ...api,
      'try_files /$catalogue_file @catalogue;',
    ]),
    '',
    '# Empty pages, problems, preflights.',
    ...block('location @catalogue', ['js_content catalogue.answer;']),
    '',
    '# What nginx refuses before it looks for a location.',
    ...block('location = /-catalogue-refused', ['internal;', 'js_content catalogue.refuse;']),
    '',
    ...fileLocations(input, '@catalogue'),
  ];
  return `${lines.join('\n')}\n`;
}
