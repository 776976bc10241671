/** The whole page: which view there is, and what all of them have at hand. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { HouseIcon } from '../explorer/icons.tsx';
import type { FilesEvent, PropertyAnswer, PropertyRow } from './api.ts';
import type { CatalogueAnswer } from './catalogue-info.ts';
import { ChangesPage } from './changes-page.tsx';
import { type EditorClient, messageOf } from './client.ts';
import { type Editor, EditorContext, linkTo, useEditor } from './editing-context.ts';
import { ListPage } from './list-page.tsx';
import { createPhotoStore, type PhotoStore } from './photo-store.ts';
import { PropertyEditor } from './property-editor.tsx';
import { type EditorView, editorQuery, parseEditorView } from './view.ts';

/** Where changes on the disk are heard of. */
const EVENTS = '/_dev/events';

/** The page. */
export function App({ client }: { client: EditorClient }) {
  const [catalogue, setCatalogue] = useState<CatalogueAnswer>();
  const [rows, setRows] = useState<readonly PropertyRow[]>();
  const [view, setView] = useState<EditorView>(() => parseEditorView(location.search));
  const [said, setSaid] = useState('');
  const [problem, setProblem] = useState('');
  const [news, setNews] = useState<{ pulse: number; paths: readonly string[] | null }>({
    pulse: 0,
    paths: null,
  });
  const guard: Editor['guard'] = useRef(undefined);
  const store = useMemo(() => createPhotoStore(client), [client]);

  useEffect(() => {
    Promise.all([client.catalogue(), client.properties()]).then(
      ([known, { properties }]) => {
        setCatalogue(known);
        setRows(properties);
        setProblem('');
      },
      (error: unknown) => setProblem(messageOf(error)),
    );
  }, [news.pulse, view.kind]);
  useEffect(() => {
    const events = new EventSource(EVENTS);
    events.addEventListener('files', ({ data }: MessageEvent<string>) => {
      const { paths } = JSON.parse(data) as FilesEvent;
      setNews(({ pulse }) => ({ pulse: pulse + 1, paths }));
    });
    return () => events.close();
  }, []);
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

  const show = (next: EditorView, how?: 'replace') => {
    const address = editorQuery(next) + location.hash;
    if (how === 'replace') history.replaceState(null, '', address);
    else {
      history.pushState(null, '', address);
      scrollTo(0, 0);
    }
    setView(next);
    if (how !== 'replace')
      setTimeout(() => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true }));
  };
  if (!catalogue || !rows) return <Waiting problem={problem} />;
  const editor: Editor = {
    client,
    catalogue,
    pulse: news.pulse,
    changedPaths: news.paths,
    guard,
    announce: setSaid,
    go: (next, how) => {
      if (guard.current && how !== 'replace') guard.current(() => show(next, how));
      else show(next, how);
    },
  };
  return (
    <EditorContext.Provider value={editor}>
      <Header editor={editor} view={view} changed={rows.filter(({ changed }) => changed !== null).length} />
      <main
        id="content"
        tabIndex={-1}
        class={view.kind === 'list' || view.kind === 'changes' ? '' : 'main-wide'}
      >
        {view.kind === 'list' && <ListPage rows={rows} />}
        {view.kind === 'changes' && <ChangesPage />}
        {(view.kind === 'new' || view.kind === 'property' || view.kind === 'id') && (
          <OpenProperty view={view} rows={rows} store={store} />
        )}
      </main>
      <p class="unseen" role="status" aria-live="polite">
        {said}
      </p>
    </EditorContext.Provider>
  );
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
      <a class="brand" {...linkTo(editor, { kind: 'list' }, editorQuery({ kind: 'list' }))}>
        <span class="brand-mark">
          <HouseIcon />
        </span>
        <span class="brand-name">{catalogue.title}</span>
      </a>
      <nav aria-label="Editor">
        <a
          {...linkTo(editor, { kind: 'list' }, editorQuery({ kind: 'list' }))}
          aria-current={isChanges ? undefined : 'page'}
        >
          Properties
        </a>
        <a
          {...linkTo(editor, { kind: 'changes' }, editorQuery({ kind: 'changes' }))}
          aria-current={isChanges ? 'page' : undefined}
        >
          Changes {changed > 0 && <span class="count">{changed.toLocaleString('en')}</span>}
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

/** Loads a property before it is edited. One that was just made stays what it is, under its new address. */
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
    // The property that was new a moment ago.
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

/** While there is nothing to show, or when nothing can be shown. */
function Waiting({ problem }: { problem: string }) {
  if (!problem) return <p class="waiting quiet">Loading …</p>;
  return (
    <div class="waiting notice failure" role="alert">
      <h1>The editor cannot go on</h1>
      <p>{problem}</p>
    </div>
  );
}
