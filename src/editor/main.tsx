/** The page on which a property is written: a form for its file, through the API of `catalogue dev`. */
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

/** Where the token is kept, so that the catalogue's own pages can lead here: it is worthless for another run. */
const KEPT = 'property-catalogue-edit-token';

const given = location.hash.slice(1);
if (given) localStorage.setItem(KEPT, given);
const token = given || (localStorage.getItem(KEPT) ?? '');
// The address bar has the token wherever one came from.
if (!given && token) history.replaceState(null, '', `#${token}`);
render(<App client={createEditorClient(token)} />, document.getElementById('editor')!);
