import { nginxFiles } from '../shared/nginx/site.ts';
import { emptyPageTemplate } from '../shared/query-regex.ts';
import { targetRefusal } from '../shared/refusal.ts';
import type { Target } from '../target.ts';

const page = (total: string) => emptyPageTemplate('$catalogue_page_number', '$catalogue_page_size', total);

/** One regular expression finds the file of most requests, and nginx serves it as a static file. */
export const nginx: Target = {
  title: 'nginx with set-misc',
  about: { use: 'a server of your own, fastest', runs: 'configuration only, with the set-misc module' },
  generate: (input) =>
    targetRefusal(input, 'nginx with set-misc', { checksKeys: false }) ?? {
      files: nginxFiles(input, {
        target: 'nginx',
        title: 'nginx with set-misc',
        module: 'libnginx-mod-http-set-misc',
        view: {
          emptyPage: page('0'),
          pageWithTotal: page('<!--# include virtual="/-catalogue/total/$catalogue_scope" -->'),
        },
      }),
    },
};
