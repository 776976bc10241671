/** Entry point of the explorer, a page that shows a catalogue by its public API alone. */
import { render } from 'preact';
import type { ExplorerSettings } from '../contract/explorer.ts';
import { App } from './app.tsx';
import { createCatalogue } from './catalogue.ts';
import { createNavigation } from './navigation.ts';
import './styles/base.css';
import './styles/page.css';
import './styles/controls.css';
import './styles/picture.css';
import './styles/list.css';
import './styles/map.css';
import './styles/property.css';
import './styles/print.css';

const place = document.getElementById('explorer')!;
const settings = JSON.parse(place.dataset.settings!) as ExplorerSettings;
applyColours(settings);
const catalogue = createCatalogue(settings, new URL('.', document.baseURI).href);
render(<App catalogue={catalogue} navigation={createNavigation()} />, place);

/** Sets colours by script, since the page's Content-Security-Policy forbids inline styles. */
function applyColours({ colours }: ExplorerSettings): void {
  for (const [scheme, own] of Object.entries(colours ?? {})) {
    const { style } = document.documentElement;
    style.setProperty(`--own-accent-${scheme}`, own.accent);
    style.setProperty(`--own-on-accent-${scheme}`, own.onAccent);
    style.setProperty(`--own-soft-${scheme}`, own.soft);
  }
}
