import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../explorer/button.tsx';
import { HouseIcon } from '../explorer/icons.tsx';
import type { ValueStore } from '../explorer/value-store.ts';
import type { FilesEvent } from './api.ts';
import type { CatalogueResponse } from './catalogue-info.ts';
import { ChangesPage } from './changes-page.tsx';
import { coalesceCalls, type EditorClient, errorMessage } from './client.ts';
import {
  type Editor,
  EditorContext,
  editorLinkProps,
  type RestoreOffer,
  useEditor,
} from './editing-context.ts';
import { useFocusRecovery } from './focus.ts';
import { ListPage } from './list-page.tsx';
import { createPhotoStore, type PhotoStore } from './photo-url-store.ts';
import { PropertyEditor } from './property-editor.tsx';
import { type PropertyList, updatedList } from './property-list.ts';
import { type OpenedProperty, openProperty } from './property-opening.ts';
import { NewerChangesNotice, RepositoryStateNotice } from './remote-panel.tsx';
import { useRemote } from './remote-state.ts';
import { UnsavedDraftOffer, UnsavedNotice } from './unsaved-draft-offer.tsx';
import { type EditorView, editorQuery, parseEditorView } from './url-state.ts';

const EVENTS = '/_dev/events';

type AppProps = Pick<Editor, 'client' | 'drafts' | 'isStorageFailing'> & {
  readonly entered: Pick<ValueStore<number>, 'subscribe'>;
};

export function EditorApp({ client, drafts, isStorageFailing, entered }: AppProps) {
  const guard: Editor['guard'] = useRef(undefined);
  const { view, visit, list, go } = useViews(guard);
  const news = useFileChanges(entered);
  const [restorable, setRestorable] = useState<readonly RestoreOffer[]>([]);
  const withdrawRestore = (path: string) => setRestorable((all) => all.filter((one) => one.path !== path));
  const { loaded, problem, refresh } = useCatalogueNow(client, `${news.changeCount} ${view.kind}`);
  const remote = useRemote(client, `${news.changeCount} ${view.kind}`);
  useFocusRecovery();
  const [said, setSaid] = useState('');
  const store = useMemo(() => createPhotoStore(client), [client]);
  if (!loaded) return <Waiting problem={problem} />;
  const { catalogue, rows, changed, problem: stopped } = loaded;
  const editor: Editor = {
    client,
    drafts,
    isStorageFailing,
    problem,
    catalogue,
    guard,
    offerRestore: (one) => setRestorable((all) => [...all.filter(({ path }) => path !== one.path), one]),
    withdrawRestore,
    list,
    refresh,
    remote,
    announce: setSaid,
    go,
    ...news,
  };
  const isList = view.kind === 'list' || view.kind === 'changes';
  return (
    <EditorContext.Provider value={editor}>
      <Header editor={editor} view={view} changed={changed} />
      <main id="content" tabIndex={-1} class={isList ? '' : 'main-wide'}>
        {isList && problem && (
          <p class="notice failure" role="alert">
            {problem}
          </p>
        )}
        {isList && stopped !== null && (
          <div class="notice failure" role="alert">
            <h2>“View catalogue” shows an older catalogue</h2>
            <p>A problem stops all that is newer, here and when it is published: {stopped}</p>
          </div>
        )}
        {isList && <RepositoryStateNotice />}
        {isList && <NewerChangesNotice />}
        {restorable
          .filter(({ path }) => isList || (view.kind === 'property' && view.path === path))
          .filter(({ path, reverted }) => reverted !== undefined || !rows.some((row) => row.path === path))
          .map((one) => (
            <RestoreNotice key={one.path} restorable={one} opens={view.kind === 'list'} />
          ))}
        {view.kind === 'list' && <UnsavedNotice />}
        {view.kind === 'list' && <ListPage rows={rows} filter={view.filter} />}
        {view.kind === 'changes' && <ChangesPage />}
        {view.kind !== 'list' && view.kind !== 'changes' && (
          <OpenProperty key={visit} view={view} store={store} />
        )}
      </main>
      <p class="unseen" role="status" aria-live="polite">
        {said}
      </p>
    </EditorContext.Provider>
  );
}

function useViews(guard: Editor['guard']) {
  const [{ view, visit }, setPlace] = useState({ view: parseEditorView(location.search), visit: 0 });
  const list = useRef<EditorView>({ kind: 'list' });
  if (view.kind === 'list') list.current = view;
  const open = (next: EditorView) => setPlace(({ visit: before }) => ({ view: next, visit: before + 1 }));
  const show = (next: EditorView, how?: 'replace') => {
    const address = editorQuery(next);
    if (how === 'replace') {
      setPlace((before) => ({ ...before, view: next }));
      return history.replaceState(null, '', address);
    }
    open(next);
    history.pushState(null, '', address);
    scrollTo(0, 0);
    setTimeout(() => {
      // Keeps the focus if the user has already moved it.
      if (document.activeElement?.closest('main')) return;
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    });
  };
  useEffect(() => {
    const onPop = () => {
      const next = parseEditorView(location.search);
      // Ignores a change of the fragment, which is not part of the view: it holds the token.
      if (editorQuery(next) === editorQuery(view)) return;
      if (!guard.current) return open(next);
      history.pushState(null, '', editorQuery(view));
      guard.current(() => show(next));
    };
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, [view]);
  const go: Editor['go'] = (next, how) => {
    if (guard.current && how !== 'replace') guard.current(() => show(next));
    else show(next, how);
  };
  return { view, visit, list: list.current, go };
}

/** `changedPaths` is null if any file may have changed, such as after a reconnect or on entering another session. */
function useFileChanges(entered: AppProps['entered']): Pick<Editor, 'changeCount' | 'changedPaths'> {
  const [news, setNews] = useState<Pick<Editor, 'changeCount' | 'changedPaths'>>({
    changeCount: 0,
    changedPaths: null,
  });
  useEffect(() => {
    const anyChanged = () =>
      setNews(({ changeCount }) => ({ changeCount: changeCount + 1, changedPaths: null }));
    const events = new EventSource(EVENTS);
    let isOpened = false;
    events.addEventListener('open', () => {
      if (isOpened) anyChanged();
      isOpened = true;
    });
    events.addEventListener('files', ({ data }: MessageEvent<string>) => {
      const { paths } = JSON.parse(data) as FilesEvent;
      setNews(({ changeCount }) => ({ changeCount: changeCount + 1, changedPaths: paths }));
    });
    const stop = entered.subscribe(anyChanged);
    return () => {
      stop();
      events.close();
    };
  }, []);
  return news;
}

type LoadedCatalogue = PropertyList & { readonly catalogue: CatalogueResponse };

function useCatalogueNow(client: EditorClient, key: string) {
  const [loaded, setLoaded] = useState<LoadedCatalogue>();
  const [problem, setProblem] = useState('');
  const load = useMemo(() => {
    let listed: PropertyList | undefined;
    return coalesceCalls(async () => {
      try {
        const [catalogue, answer] = await Promise.all([client.catalogue(), client.properties(listed?.mark)]);
        listed = updatedList(listed, answer);
        setLoaded({ catalogue, ...listed });
        setProblem('');
      } catch (error) {
        setProblem(errorMessage(error));
      }
    });
  }, [client]);
  useEffect(() => void load(), [load, key]);
  return { loaded, problem, refresh: () => void load() };
}

type HeaderProps = { readonly editor: Editor; readonly view: EditorView; readonly changed: number };

function Header({ editor, view, changed }: HeaderProps) {
  const { catalogue } = editor;
  const isChanges = view.kind === 'changes';
  return (
    <header class="page-header editor-header">
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        Skip to content
      </button>
      <a class="brand beside" {...editorLinkProps(editor, { kind: 'list' })}>
        <span class="brand-mark">
          <HouseIcon />
        </span>
        <span class="cut">{catalogue.title}</span>
      </a>
      <nav aria-label="Editor">
        <a {...editorLinkProps(editor, { kind: 'list' })} aria-current={isChanges ? undefined : 'page'}>
          Properties
        </a>
        <a {...editorLinkProps(editor, { kind: 'changes' })} aria-current={isChanges ? 'page' : undefined}>
          Changes {changed > 0 && <span class="count digits">{changed.toLocaleString('en')}</span>}
        </a>
        <a href="/" target="_blank" rel="noopener">
          View catalogue
        </a>
      </nav>
    </header>
  );
}

type OpenPropertyProps = {
  readonly view: Exclude<EditorView, { readonly kind: 'list' | 'changes' }>;
  readonly store: PhotoStore;
};

function OpenProperty({ view, store }: OpenPropertyProps) {
  const { client, drafts, guard } = useEditor();
  const [opened, setOpened] = useState<OpenedProperty>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const left = new AbortController();
    const which = view.kind === 'new' ? null : view.kind === 'property' ? view.path : { id: view.id };
    const open = async () => {
      const next = await openProperty(client, drafts, which);
      if (left.signal.aborted) return;
      setOpened(next);
      if (next.openElsewhere.length === 0) return;
      await drafts.released(next.openElsewhere, left.signal);
      // `guard` is set while the form has unsaved changes. Such a form is not replaced.
      if (!guard.current) await open();
    };
    open().catch((error: unknown) => left.signal.aborted || setProblem(errorMessage(error)));
    return () => left.abort();
  }, []);
  if (problem) return <Waiting problem={problem} />;
  if (!opened) return <p class="quiet">Loading …</p>;
  const { isNew, property, offers, draft } = opened;
  const [offer, ...later] = offers;
  if (!offer && !property && !draft && !isNew) return <Waiting problem={NO_PROPERTY} />;
  if (!offer) return <PropertyEditor first={property} draft={draft} store={store} />;
  return (
    <UnsavedDraftOffer
      key={offer.id}
      draft={offer}
      file={property}
      proceed={(taken) => setOpened({ ...opened, offers: [], draft: taken })}
      forget={() => setOpened({ ...opened, offers: later })}
      postpone={() => setOpened({ ...opened, offers: [] })}
    />
  );
}

const NO_PROPERTY = 'There is no such property. It may have been removed or renamed.';

type RestoreNoticeProps = {
  readonly restorable: RestoreOffer;
  /** Whether Undo also opens a property after restoring its removed file. */
  readonly opens: boolean;
};

function RestoreNotice({ restorable: { path, title, reverted }, opens }: RestoreNoticeProps) {
  const { client, go, announce, refresh, withdrawRestore } = useEditor();
  const [problem, setProblem] = useState('');
  const restore = () =>
    client.restore({ path }).then(
      () => {
        withdrawRestore(path);
        announce(`${reverted ?? title} is back.`);
        refresh();
        if (opens && reverted === undefined) go({ kind: 'property', path });
      },
      (error: unknown) => setProblem(errorMessage(error)),
    );
  return (
    <div class="notice small">
      <p class="flow">
        <span role="status">
          {reverted === undefined ? `${title} is removed.` : `Taken back: ${reverted}.`}
        </span>
        <Button look="small" onClick={restore}>
          Undo
        </Button>
        <Button look="small" onClick={() => withdrawRestore(path)}>
          Close
        </Button>
        <span class="problem" role="alert">
          {problem}
        </span>
      </p>
    </div>
  );
}

function Waiting({ problem }: { problem: string }) {
  if (!problem) return <p class="waiting quiet">Loading …</p>;
  return (
    <div class="waiting notice failure" role="alert">
      <h1>The editor cannot go on</h1>
      <p>{problem}</p>
    </div>
  );
}
