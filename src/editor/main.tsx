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
import { failureOf } from './editing.ts';

/** Local-storage key of the token, so that links from the catalogue's pages work, and other tabs go on in a new session. */
const KEPT = 'property-catalogue-edit-token';

const token = createStore(localStorage.getItem(KEPT) ?? '');

/** Takes the token of the address, unless the session refuses it and another one is known: any page can link here. */
async function takeToken(): Promise<void> {
  const given = location.hash.slice(1);
  const known = token.get();
  if (given && given !== known) {
    const refusal = await createEditorClient(() => given)
      .catalogue()
      .then(() => undefined, failureOf);
    if (!refusal) localStorage.setItem(KEPT, given);
    if (refusal?.code !== 'wrong-token' || !known) token.set(given);
  }
  // The token always stands in the address bar, wherever it was read.
  if (token.get() !== given) history.replaceState(null, '', `#${token.get()}`);
}

addEventListener('hashchange', () => void takeToken());
addEventListener('storage', ({ key, newValue }) => {
  if (key !== KEPT || !newValue || newValue === token.get()) return;
  history.replaceState(null, '', `#${newValue}`);
  token.set(newValue);
});
// A file that is dropped anywhere else would be opened in place of the page.
for (const kind of ['dragover', 'drop'] as const)
  addEventListener(kind, (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault());
await takeToken();
const keepsNothing = createStore(false);
render(
  <App
    client={createEditorClient(token.get)}
    token={token}
    drafts={createDrafts(keepsNothing.set)}
    keepsNothing={keepsNothing}
  />,
  document.getElementById('editor')!,
);
