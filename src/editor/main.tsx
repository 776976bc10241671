/** Entry of the editor page: a form for a property file, through the API of `catalogue dev`. */
import { render } from 'preact';
import '../explorer/styles/base.css';
import '../explorer/styles/page.css';
import '../explorer/styles/controls.css';
import '../explorer/styles/picture.css';
import '../explorer/styles/map.css';
import '../explorer/styles/property.css';
import './styles/frame.css';
import './styles/form.css';
import { App } from './app.tsx';
import { createEditorClient } from './client.ts';

/** Local-storage key of the token, so that links from the catalogue's pages work; another run has another token. */
const KEPT = 'property-catalogue-edit-token';

const given = location.hash.slice(1);
if (given) localStorage.setItem(KEPT, given);
const token = given || (localStorage.getItem(KEPT) ?? '');
// The token always stands in the address bar, wherever it was read.
if (!given && token) history.replaceState(null, '', `#${token}`);
render(<App client={createEditorClient(token)} />, document.getElementById('editor')!);
