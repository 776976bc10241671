import { defineConfig } from 'vitepress';
import { repository } from '../../../src/package/version.ts';
import { BASE, CODES_FOLDER, pagesByReader, SITE_TITLE } from '../pages.ts';

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M8 1 1 7.5h2V15h4v-4h2v4h4V7.5h2z" fill="#0b6b63"/></svg>';

export default defineConfig({
  title: SITE_TITLE,
  description: 'Keep your holiday properties as YAML in git; get a REST API on any CDN, with no server.',
  base: BASE,
  srcDir: 'pages',
  outDir: '../../dist/site',
  cacheDir: '../../node_modules/.cache/vitepress',
  cleanUrls: true,
  lastUpdated: false,
  head: [
    ['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }],
    // Indented code blocks have no scrolling frame.
    ['style', {}, '.vp-doc pre { overflow-x: auto; }'],
  ],
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/quick-start' },
      { text: 'Example', link: '/example' },
      { text: 'API', link: '/api' },
      { text: 'Diagnostics', link: '/diagnostics' },
    ],
    sidebar: [
      ...pagesByReader().map(({ reader, pages }) => ({
        text: reader,
        items: pages.map(({ name, title }) => ({ text: title, link: `/${name}` })),
      })),
      { text: 'Diagnostic codes', link: `/${CODES_FOLDER}/`, collapsed: true },
    ],
    socialLinks: [{ icon: 'github', link: repository }],
    outline: [2, 3],
  },
});
