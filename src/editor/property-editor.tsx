/** The editor of one property: form, preview and notices. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { useMedia } from '../explorer/media-query.ts';
import { plural } from '../words.ts';
import type { PropertyAnswer } from './api.ts';
import { ConflictPanel } from './conflict-panel.tsx';
import { EditBar } from './edit-bar.tsx';
import { useEditor } from './editing-context.ts';
import { FileSection } from './file-section.tsx';
import { findingsElsewhere, findingTally } from './findings.ts';
import { PropertyForm } from './form.tsx';
import { type Form, FormContext } from './form-context.ts';
import { LeaveDialog } from './leave-dialog.tsx';
import { Notices } from './notices.tsx';
import type { PhotoStore } from './photo-store.ts';
import { createPhotos, PhotosContext } from './photos.ts';
import { Preview } from './preview.tsx';
import { useAnnouncements, useDiskChanges, useGuard, useSaving, useShortcuts } from './property-effects.ts';
import { type PropertyState, usePropertyState } from './property-state.ts';
import { textAt } from './values.ts';

/** Width from which form and preview stand side by side. */
const WIDE = '(min-width: 64rem)';

type PropertyEditorProps = {
  /** Null for a new property. */
  readonly first: PropertyAnswer | null;
  readonly store: PhotoStore;
};

export function PropertyEditor({ first, store }: PropertyEditorProps) {
  const { client, catalogue, guard } = useEditor();
  const path = useRef(first?.path);
  const photos = useMemo(() => createPhotos(client, store, () => path.current), [client]);
  const state = usePropertyState(client, first);
  const { saved, values, checked, conflict } = state;
  path.current = saved?.path;
  const findings = checked?.findings ?? [];
  const errors = findings.filter(({ severity }) => severity === 'error');
  const { save, hasAsked } = useSaving(state, photos);
  const form = useFormOf(state, findings, saved === null && !hasAsked);
  const title = textAt(values, ['title']) || (saved ? saved.path : 'New property');
  const [leaving, setLeaving] = useState<() => void>();
  useGuard(state.isDirty, (leave) => setLeaving(() => leave));
  useShortcuts(state, save);
  useDiskChanges(state);
  useAnnouncements(state, title, form.hidesUnvisited ? '' : findingTally(findings) || 'No errors.');
  const known = new Set(catalogue.fields.map(({ name }) => name));
  return (
    <FormContext.Provider value={form}>
      <PhotosContext.Provider value={photos}>
        <EditBar
          state={state}
          title={title}
          findings={form.hidesUnvisited ? [] : findings}
          save={save}
          isNew={saved === null}
        />
        <Notices
          state={state}
          elsewhere={findingsElsewhere(findings, known)}
          canSaveAnyway={saved === null && hasAsked && errors.length > 0}
        />
        {conflict ? (
          <ConflictPanel conflict={conflict} resolve={state.resolve} />
        ) : (
          <Panels state={state} errors={errors.length} />
        )}
        {leaving && (
          <LeaveDialog
            save={save}
            leave={() => {
              guard.current = undefined;
              setLeaving(undefined);
              leaving();
            }}
            stay={() => setLeaving(undefined)}
          />
        )}
      </PhotosContext.Provider>
    </FormContext.Provider>
  );
}

function useFormOf(state: PropertyState, findings: Form['findings'], hidesUnvisited: boolean): Form {
  const { values, edit, arrange, keysOf } = state;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const leave = (field: string) =>
    setLeft((before) => (before.has(field) ? before : new Set([...before, field])));
  return { values, edit, arrange, keysOf, findings, hidesUnvisited, left, leave };
}

/** Shows form and preview side by side, or one of them in a tab on narrow screens. */
function Panels({ state: { saved, checked, values }, errors }: { state: PropertyState; errors: number }) {
  const [tab, setTab] = useState<Tab>('form');
  const isWide = useMedia(WIDE);
  const isForm = !saved?.obstacle;
  return (
    <>
      {!isWide && isForm && <Tabs tab={tab} setTab={setTab} errors={errors} />}
      <div class={`editing${isForm ? '' : ' only-preview'}`}>
        {isForm && (
          <div class="editing-form stack loose" hidden={!isWide && tab !== 'form'}>
            <PropertyForm />
            {saved && <FileSection property={saved} lines={checked?.lines ?? []} />}
          </div>
        )}
        {(isWide || tab === 'preview' || !isForm) && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
          <section class="editing-preview" aria-label="Preview" tabIndex={0}>
            <p class="preview-title flow">
              <strong>Preview</strong> <span class="quiet">How guests will see it</span>
            </p>
            <div class="preview-page">
              <Preview id={textAt(values, ['id']) || '00000000'} />
            </div>
          </section>
        )}
      </div>
    </>
  );
}

type Tab = 'form' | 'preview';
type TabsProps = { readonly tab: Tab; readonly setTab: (tab: Tab) => void; readonly errors: number };

function Tabs({ tab, setTab, errors }: TabsProps) {
  const words = {
    form: `Form${errors > 0 ? ` (${plural(errors, 'error')})` : ''}`,
    preview: 'Preview',
  };
  return (
    <nav class="tabs" aria-label="Form or preview">
      {(['form', 'preview'] as const).map((one) => (
        <button key={one} type="button" aria-pressed={tab === one} onClick={() => setTab(one)}>
          {words[one]}
        </button>
      ))}
    </nav>
  );
}
