/** The website of the documentation, made with VitePress by `scripts/build-site.ts`. */
import { defineConfig } from 'vitepress';
import { BASE, CODES_FOLDER, pagesByReader, SITE_TITLE } from '../../scripts/site/pages.ts';
import { repository } from '../../src/version.ts';

export default defineConfig({
  title: SITE_TITLE,
  description: 'Keep your holiday properties as YAML in git; get a REST API on any CDN, with no server.',
  base: BASE,
  srcDir: 'pages',
  outDir: '../dist/site',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: true,
  lastUpdated: false,
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
