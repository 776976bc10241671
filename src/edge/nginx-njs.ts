import { API_PATH } from '../contract/layout.ts';
import { targetCode } from './bundle.ts';
import {
  block,
  cachingDirectives,
  fileLocations,
  listPath,
  serverDirectives,
  varyDirectives,
} from './nginx.ts';
import { replySettings } from './settings.ts';
import type { Target, TargetInput } from './target.ts';

/** nginx with njs: the router names the file, and nginx serves it. */
export const nginxNjs: Target = {
  name: 'nginx-njs',
  title: 'nginx with njs',
  generate: (input) => ({
    files: [
      { path: 'catalogue.js', content: targetCode('nginx-njs', replySettings(input)) },
      { path: 'catalogue.conf', content: configuration(input) },
    ],
  }),
};

function configuration(input: TargetInput): string {
  const api = cachingDirectives(input, input.configuration.cache_control.api);
  const lines = [
    '# Include this file in a server block whose root is dist/public.',
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
