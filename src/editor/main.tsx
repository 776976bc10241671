import { render } from 'preact';
import '../explorer/styles/base.css';
import '../explorer/styles/page.css';
import '../explorer/styles/controls.css';
import '../explorer/styles/picture.css';
import '../explorer/styles/map.css';
import '../explorer/styles/property.css';
import { createValueStore } from '../explorer/value-store.ts';
import './styles/frame.css';
import './styles/form.css';
import { EditorApp } from './app.tsx';
import { createEditorClient } from './client.ts';
import { createUnsavedDraftStore } from './unsaved-drafts.ts';

const client = createEditorClient();
const entered = createValueStore(0);
const tabs = new BroadcastChannel('property-catalogue-edit');
tabs.onmessage = () => entered.set(entered.get() + 1);

/** Any page can link here with a wrong token, so a failure changes nothing. */
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
// By default, the browser replaces the page with a dropped file.
for (const kind of ['dragover', 'drop'] as const)
  addEventListener(kind, (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault());
void takeToken();
// Other tabs may be waiting for a valid session. This tab may have one now, so they try again.
tabs.postMessage('');
const isStorageFailing = createValueStore(false);
render(
  <EditorApp
    client={client}
    entered={entered}
    drafts={createUnsavedDraftStore(isStorageFailing.set)}
    isStorageFailing={isStorageFailing}
  />,
  document.getElementById('editor')!,
);
