/** Entry of the editor page: a form for a property file, through the API of `catalogue dev`. */
import { render } from 'preact';
import '../explorer/styles/base.css';
import '../explorer/styles/page.css';
import '../explorer/styles/controls.css';
import '../explorer/styles/picture.css';
import '../explorer/styles/map.css';
import '../explorer/styles/property.css';
import { createStore } from '../explorer/store.ts';
import './styles/frame.css';
import './styles/form.css';
import { App } from './app.tsx';
import { createEditorClient } from './client.ts';
import { createDrafts } from './drafts.ts';

const client = createEditorClient();
/** Counts sessions that this browser entered: what the page knows may be of an earlier one. */
const entered = createStore(0);
const tabs = new BroadcastChannel('property-catalogue-edit');
tabs.onmessage = () => entered.set(entered.get() + 1);

/** Takes the token out of the address, and enters with it. Any page can link here with a wrong one. */
async function takeToken(): Promise<void> {
  const token = location.hash.slice(1);
  if (!token) return;
  history.replaceState(null, '', location.pathname + location.search);
  const isEntered = await client.enter(token).then(
    () => true,
    () => false,
  );
  if (!isEntered) return;
  entered.set(entered.get() + 1);
  tabs.postMessage('');
}

addEventListener('hashchange', () => void takeToken());
// A file that is dropped anywhere else would be opened in place of the page.
for (const kind of ['dragover', 'drop'] as const)
  addEventListener(kind, (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault());
void takeToken();
// The page is here, so another tab may have entered for it.
tabs.postMessage('');
const keepsNothing = createStore(false);
render(
  <App
    client={client}
    entered={entered}
    drafts={createDrafts(keepsNothing.set)}
    keepsNothing={keepsNothing}
  />,
  document.getElementById('editor')!,
);
