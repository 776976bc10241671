/** A property that is edited: its form, how it will look, and what came of saving. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useMedia } from '../explorer/media-query.ts';
import { counted } from '../explorer/words.ts';
import type { PropertyAnswer } from './api.ts';
import { ConflictPanel } from './conflict-panel.tsx';
import { EditBar } from './edit-bar.tsx';
import { useEditor } from './editing-context.ts';
import { FileSection } from './file-section.tsx';
import { controlId, findingsElsewhere, tallyOf } from './findings.ts';
import { PropertyForm } from './form.tsx';
import { type Form, FormContext, textAt } from './form-context.ts';
import { LeaveDialog } from './leave-dialog.tsx';
import { Notices } from './notices.tsx';
import type { PhotoStore } from './photo-store.ts';
import { createPhotos, PhotosContext, withoutPhotos } from './photos.ts';
import { Preview } from './preview.tsx';
import { usePropertyState } from './property-state.ts';

/** From this width on, the form and the preview stand side by side. */
const WIDE = '(min-width: 64rem)';

/** What it needs. */
export type PropertyEditorProps = {
  /** Null: a new property. */
  readonly first: PropertyAnswer | null;
  readonly store: PhotoStore;
};

/** The page of a property. */
export function PropertyEditor({ first, store }: PropertyEditorProps) {
  const editor = useEditor();
  const { client, announce, go, pulse, changedPaths, guard } = editor;
  const path = useRef(first?.path);
  const photos = useMemo(() => createPhotos(client, store, () => path.current), [client]);
  const state = usePropertyState(client, first);
  const { saved, values, isDirty, checked, save } = state;
  path.current = saved?.path;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [hasAsked, setAsked] = useState(false);
  const [tab, setTab] = useState<'form' | 'preview'>('form');
  const [leaving, setLeaving] = useState<() => void>();
  const isWide = useMedia(WIDE);
  const findings = checked?.findings ?? [];
  const errors = findings.filter(({ severity }) => severity === 'error');
  const title = textAt(values, ['title']) || (saved ? saved.path : 'New property');

  const form: Form = {
    values,
    edit: state.edit,
    namesOf: state.namesOf,
    findings,
    isPatient: saved === null && !hasAsked,
    left,
    leave: (field) => setLeft((before) => (before.has(field) ? before : new Set([...before, field]))),
  };

  const write = async (): Promise<boolean> => {
    if (saved) return save();
    // What is missing is asked for once; a property may be saved without it.
    if (!hasAsked && errors.length > 0) {
      setAsked(true);
      announce(`${tallyOf(errors)}: see the fields.`);
      focusOn(errors[0]!.field);
      return false;
    }
    try {
      const created = await client.create({ edits: withoutPhotos(state.edits) });
      const edits = await photos.send(created.path, values);
      const { path: at, version } = created;
      const whole = edits.length > 0 ? await client.save({ path: at, version, edits }) : created;
      state.adopt(whole);
      go({ kind: 'property', path: at }, 'replace');
      return true;
    } catch (error) {
      state.refuse(error);
      return false;
    }
  };
  const latest = useRef(write);
  latest.current = write;

  useEffect(() => {
    document.title = `${title} · ${editor.catalogue.title}`;
  }, [title]);
  useEffect(() => {
    if (checked && !form.isPatient) announce(tallyOf(findings) || 'No errors.');
  }, [tallyOf(findings)]);
  useEffect(() => {
    if (state.progress === 'saved') announce('Saved.');
  }, [state.progress]);
  useEffect(() => {
    const file = saved?.path;
    if (pulse === 0 || !file || (changedPaths && !changedPaths.includes(file))) return;
    client.property(file).then(state.meet, () => state.meet(null));
  }, [pulse]);
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    guard.current = (leave) => setLeaving(() => leave);
    return () => {
      removeEventListener('beforeunload', ask);
      guard.current = undefined;
    };
  }, [isDirty]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      const act = {
        s: () => void latest.current(),
        z: event.shiftKey ? state.redo : state.undo,
        y: state.redo,
      }[key];
      if (key === 's' || act) event.preventDefault();
      act?.();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });

  const isForm = !saved?.obstacle;
  const elsewhere = findingsElsewhere(findings, new Set(editor.catalogue.fields.map(({ name }) => name)));
  return (
    <FormContext.Provider value={form}>
      <PhotosContext.Provider value={photos}>
        <EditBar
          state={state}
          title={title}
          findings={form.isPatient ? [] : findings}
          save={write}
          isNew={saved === null}
        />
        <Notices
          state={state}
          elsewhere={elsewhere}
          canSaveAnyway={saved === null && hasAsked && errors.length > 0}
        />
        {state.conflict ? (
          <ConflictPanel conflict={state.conflict} resolve={state.resolve} />
        ) : (
          <>
            {!isWide && isForm && <Tabs tab={tab} setTab={setTab} count={errors.length} />}
            <div class={`editing${isForm ? '' : ' only-preview'}`}>
              {isForm && (
                <div class="editing-form" hidden={!isWide && tab !== 'form'} id="panel-form">
                  <PropertyForm />
                  {saved && <FileSection property={saved} lines={checked?.lines ?? []} />}
                </div>
              )}
              {(isWide || tab === 'preview' || !isForm) && (
                <section class="editing-preview" aria-label="Preview" id="panel-preview">
                  <p class="preview-title">
                    <strong>Preview</strong> <span class="quiet">How guests will see it</span>
                  </p>
                  <div class="preview-page">
                    <Preview id={textAt(values, ['id']) || '00000000'} />
                  </div>
                </section>
              )}
            </div>
          </>
        )}
        {leaving && (
          <LeaveDialog
            save={write}
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

/** Brings a field into view, with the focus in it. */
export function focusOn(field: PropertyAnswer['findings'][number]['field']): void {
  for (let length = field?.length ?? 0; field && length > 0; length--) {
    const control = document.getElementById(controlId(field.slice(0, length)));
    if (!control) continue;
    control.scrollIntoView({ block: 'center' });
    return control.focus({ preventScroll: true });
  }
}

type TabsProps = {
  readonly tab: 'form' | 'preview';
  readonly setTab: (tab: 'form' | 'preview') => void;
  readonly count: number;
};

function Tabs({ tab, setTab, count }: TabsProps) {
  return (
    <nav class="tabs" aria-label="Form or preview">
      {(['form', 'preview'] as const).map((one) => (
        <button key={one} type="button" aria-pressed={tab === one} onClick={() => setTab(one)}>
          {one === 'form' ? `Form${count > 0 ? ` (${counted(count, 'error', 'errors')})` : ''}` : 'Preview'}
        </button>
      ))}
    </nav>
  );
}
