/** The editor page: header, current view and the context that all views share. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { HouseIcon } from '../explorer/icons.tsx';
import type { FilesEvent, PropertyAnswer, PropertyRow } from './api.ts';
import type { CatalogueAnswer } from './catalogue-info.ts';
import { ChangesPage } from './changes-page.tsx';
import { type EditorClient, messageOf } from './client.ts';
import { type Editor, EditorContext, useEditor, viewLink } from './editing-context.ts';
import { ListPage } from './list-page.tsx';
import { createPhotoStore, type PhotoStore } from './photo-store.ts';
import { PropertyEditor } from './property-editor.tsx';
import { type EditorView, editorQuery, parseEditorView } from './view.ts';

/** URL of the events about changes on the disk. */
const EVENTS = '/_dev/events';

export function App({ client }: { client: EditorClient }) {
  const guard: Editor['guard'] = useRef(undefined);
  const { view, go } = useViews(guard);
  const news = useFileChanges();
  const { loaded, problem } = useCatalogueNow(client, `${news.changeCount} ${view.kind}`);
  const [said, setSaid] = useState('');
  const store = useMemo(() => createPhotoStore(client), [client]);
  if (!loaded) return <Waiting problem={problem} />;
  const { catalogue, rows } = loaded;
  const editor: Editor = { client, catalogue, guard, announce: setSaid, go, ...news };
  const isList = view.kind === 'list' || view.kind === 'changes';
  return (
    <EditorContext.Provider value={editor}>
      <Header editor={editor} view={view} changed={rows.filter(({ changed }) => changed !== null).length} />
      <main id="content" tabIndex={-1} class={isList ? '' : 'main-wide'}>
        {view.kind === 'list' && <ListPage rows={rows} />}
        {view.kind === 'changes' && <ChangesPage />}
        {view.kind !== 'list' && view.kind !== 'changes' && (
          <OpenProperty view={view} rows={rows} store={store} />
        )}
      </main>
      <p class="unseen" role="status" aria-live="polite">
        {said}
      </p>
    </EditorContext.Provider>
  );
}

/** Keeps the view in step with the address, and asks before leaving unsaved changes. */
function useViews(guard: Editor['guard']) {
  const [view, setView] = useState<EditorView>(() => parseEditorView(location.search));
  const show = (next: EditorView, how?: 'replace') => {
    const address = editorQuery(next) + location.hash;
    setView(next);
    if (how === 'replace') return history.replaceState(null, '', address);
    history.pushState(null, '', address);
    scrollTo(0, 0);
    setTimeout(() => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true }));
  };
  useEffect(() => {
    const onPop = () => {
      const next = parseEditorView(location.search);
      if (!guard.current) return setView(next);
      history.pushState(null, '', editorQuery(view) + location.hash);
      guard.current(() => show(next));
    };
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, [view]);
  const go: Editor['go'] = (next, how) => {
    if (guard.current && how !== 'replace') guard.current(() => show(next));
    else show(next, how);
  };
  return { view, go };
}

/** Listens for the file changes that `catalogue dev` reports. */
function useFileChanges(): Pick<Editor, 'changeCount' | 'changedPaths'> {
  const [news, setNews] = useState<Pick<Editor, 'changeCount' | 'changedPaths'>>({
    changeCount: 0,
    changedPaths: null,
  });
  useEffect(() => {
    const events = new EventSource(EVENTS);
    events.addEventListener('files', ({ data }: MessageEvent<string>) => {
      const { paths } = JSON.parse(data) as FilesEvent;
      setNews(({ changeCount }) => ({ changeCount: changeCount + 1, changedPaths: paths }));
    });
    return () => events.close();
  }, []);
  return news;
}

type LoadedCatalogue = { readonly catalogue: CatalogueAnswer; readonly rows: readonly PropertyRow[] };

/** Loads the catalogue and its properties, again whenever `key` changes. */
function useCatalogueNow(client: EditorClient, key: string) {
  const [loaded, setLoaded] = useState<LoadedCatalogue>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    Promise.all([client.catalogue(), client.properties()]).then(
      ([catalogue, { properties }]) => {
        setLoaded({ catalogue, rows: properties });
        setProblem('');
      },
      (error: unknown) => setProblem(messageOf(error)),
    );
  }, [client, key]);
  return { loaded, problem };
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
      <a class="brand beside" {...viewLink(editor, { kind: 'list' })}>
        <span class="brand-mark">
          <HouseIcon />
        </span>
        <span class="cut">{catalogue.title}</span>
      </a>
      <nav aria-label="Editor">
        <a {...viewLink(editor, { kind: 'list' })} aria-current={isChanges ? undefined : 'page'}>
          Properties
        </a>
        <a {...viewLink(editor, { kind: 'changes' })} aria-current={isChanges ? 'page' : undefined}>
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
  readonly rows: readonly PropertyRow[];
  readonly store: PhotoStore;
};

/** Loads a property before it is edited. A property that was just created keeps its form when it gets its address. */
function OpenProperty({ view, rows, store }: OpenPropertyProps) {
  const path =
    view.kind === 'property'
      ? view.path
      : view.kind === 'id'
        ? rows.find(({ id }) => id === view.id)?.path
        : undefined;
  const [loaded, setLoaded] = useState<{
    key: number;
    path: string | undefined;
    property: PropertyAnswer | null;
  }>();
  const [problem, setProblem] = useState('');
  const made = useRef<string>(undefined);
  const { client } = useEditor();
  useEffect(() => {
    setProblem('');
    if (view.kind === 'new') {
      made.current = undefined;
      return setLoaded(({ key } = { key: 0, path: undefined, property: null }) => ({
        key: key + 1,
        path: undefined,
        property: null,
      }));
    }
    if (path === undefined)
      return setProblem('There is no such property. It may have been removed or renamed.');
    // A property that was just created.
    if (loaded && loaded.path === undefined && made.current === undefined) {
      made.current = path;
      return;
    }
    if (made.current === path) return;
    made.current = undefined;
    let isGone = false;
    client.property(path).then(
      (property) =>
        !isGone && setLoaded(({ key } = { key: 0, path, property }) => ({ key: key + 1, path, property })),
      (error: unknown) => !isGone && setProblem(messageOf(error)),
    );
    return () => {
      isGone = true;
    };
  }, [view.kind, path]);
  if (problem) return <Waiting problem={problem} />;
  if (!loaded) return <p class="quiet">Loading …</p>;
  return <PropertyEditor key={loaded.key} first={loaded.property} store={store} />;
}

/** Shows that the page is loading, or the problem that stops it. */
function Waiting({ problem }: { problem: string }) {
  if (!problem) return <p class="waiting quiet">Loading …</p>;
  return (
    <div class="waiting notice failure" role="alert">
      <h1>The editor cannot go on</h1>
      <p>{problem}</p>
    </div>
  );
}
