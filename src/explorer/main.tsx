import { render } from 'preact';
import type { ExplorerSettings } from '../contract/explorer.ts';
import { ExplorerApp } from './app.tsx';
import { createCatalogue } from './catalogue.ts';
import { createNavigation } from './navigation.ts';
import './styles/base.css';
import './styles/page.css';
import './styles/controls.css';
import './styles/picture.css';
import './styles/list.css';
import './styles/filters.css';
import './styles/map.css';
import './styles/property.css';
import './styles/print.css';

const place = document.getElementById('explorer')!;
const settings = JSON.parse(place.dataset.settings!) as ExplorerSettings;
const catalogue = createCatalogue(settings, new URL('.', document.baseURI).href);
render(<ExplorerApp catalogue={catalogue} navigation={createNavigation()} />, place);
