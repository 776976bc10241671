import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../explorer/button.tsx';
import { Dialog } from '../explorer/dialog.tsx';
import { useMediaQuery } from '../explorer/media-query.ts';
import { useStore } from '../explorer/value-store.ts';
import { countText } from '../text/amounts.ts';
import type { Finding, ValuePath } from './api.ts';
import { ConflictPanel } from './conflict-panel.tsx';
import { EditBar } from './edit-bar.tsx';
import { useEditor } from './editing-context.ts';
import { FileSection } from './file-section.tsx';
import { controlId, findingsElsewhere, findingTally } from './findings.ts';
import { useInitialFocus } from './focus.ts';
import { PropertyForm } from './form.tsx';
import { type Form, FormContext } from './form-context.ts';
import { PhotosContext } from './form-photos.ts';
import { textAt } from './form-values.ts';
import { Notices } from './notices.tsx';
import {
  useAnnouncements,
  useDiskChanges,
  useSaving,
  useShortcuts,
  useUnsavedChangesGuard,
} from './property-effects.ts';
import { newPropertyPreset } from './property-opening.ts';
import { PropertyPreview } from './property-preview.tsx';
import {
  createPropertyStore,
  type PropertyState,
  type PropertyStore,
  type PropertyStoreOptions,
} from './property-state.ts';
import { languageAt } from './translations.ts';
import { entriesAt, type FormChange } from './undo-history.ts';

const WIDE_SCREEN = '(min-width: 64rem)';

type PropertyEditorProps = Pick<PropertyStoreOptions, 'first' | 'store' | 'draft'>;

export function PropertyEditor({ first, store: photoStore, draft }: PropertyEditorProps) {
  const { client, catalogue, guard, drafts } = useEditor();
  const store = useMemo(() => {
    const preset = newPropertyPreset(catalogue);
    return createPropertyStore({ client, drafts, store: photoStore, first, preset, draft });
  }, [client]);
  useEffect(() => store.close, [store]);
  const state = useStore(store);
  const { saved, values, checked, conflict, conflictedFile } = state;
  const [hasAsked, setAsked] = useState(false);
  const resume = useRef(() => {});
  const [tab, setTab] = useState<Tab>('form');
  const form = { ...useFormOf(store, state, saved === null && !hasAsked), resume: () => resume.current() };
  const save = useSaving(store, form.finishAllInput, hasAsked, setAsked, resume, (findings) => {
    setTab('form');
    form.setLanguage(languageAt(findings[0]?.field ?? null));
  });
  useInitialFocus('main h1');
  const errors = form.findings.filter(({ severity }) => severity === 'error');
  const versions = (conflictedFile ?? saved)?.obstacle?.versions;
  const title = textAt(versions?.yours ?? values, ['title']) || (saved ? saved.path : 'New property');
  const [leaving, setLeaving] = useState<() => void>();
  useUnsavedChangesGuard(state, (leave) => setLeaving(() => leave));
  useShortcuts(state, save);
  useDiskChanges(store);
  const tally = findingTally(checked?.findings ?? []) || 'No errors.';
  useAnnouncements(state, title, form.hidesUnvisited ? '' : tally);
  const known = new Set(catalogue.fields.map(({ name }) => name));
  return (
    <FormContext.Provider value={form}>
      <PhotosContext.Provider value={state.photos}>
        <EditBar
          state={state}
          title={title}
          findings={form.hidesUnvisited ? [] : form.findings}
          save={save}
          isNew={saved === null}
        />
        <Notices
          state={state}
          elsewhere={findingsElsewhere(form.findings, known, form.language)}
          save={save}
          canSaveAnyway={saved === null && hasAsked && errors.length > 0}
        />
        {conflict && <ConflictPanel conflict={conflict} path={saved?.path ?? ''} resolve={state.resolve} />}
        {!conflict && !versions && !conflictedFile && (
          <Panels
            state={state}
            save={save}
            errors={form.hidesUnvisited ? 0 : errors.length}
            tab={tab}
            setTab={setTab}
          />
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

function useFormOf(store: PropertyStore, state: PropertyState, hidesUnvisited: boolean) {
  const { values, texts, edit, type, arrange, keysOf, setFailure, refusals, checked } = state;
  const [language, setLanguage] = useState('');
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set());
  const [unfinished, setUnfinished] = useState<Readonly<Record<string, Finding>>>({});
  const inputFinishers = useRef<Form['inputFinishers']>(new Map()).current;
  const [withoutFindings, setWithoutFindings] = useState<ReadonlySet<string>>(new Set());
  const leave = (field: string, id = '') => {
    setVisited((before) => (before.has(field) ? before : new Set([...before, field])));
    setWithoutFindings((before) =>
      before.has(id) ? new Set([...before].filter((one) => one !== id)) : before,
    );
  };
  const finishInput = async (id: string): Promise<Finding | undefined> => {
    const { path = [], finishInput: act } = inputFinishers.get(id) ?? {};
    const problem = await act?.();
    const finding = problem === undefined ? undefined : findingOf('unfinished', problem, path);
    setUnfinished(({ [id]: _before, ...others }) => (finding ? { ...others, [id]: finding } : others));
    if (finding) leave(String(path[0]));
    return finding;
  };
  const refused = entriesAt(values, 'photo').flatMap((entry, index) => {
    const problem = refusals.get(String((entry as { readonly file?: string } | null)?.file));
    return problem === undefined ? [] : [findingOf('bad-photo', problem, ['photo', index])];
  });
  return {
    ...{ values, texts, edit, arrange, keysOf, setFailure, hidesUnvisited, visited, leave, inputFinishers },
    ...{ language, setLanguage },
    hideFindingsOf: (id: string) => setWithoutFindings((before) => new Set([...before, id])),
    latestState: store.get,
    findings: [...Object.values(unfinished), ...refused, ...(checked?.findings ?? [])].filter(
      ({ field }) => !field || !withoutFindings.has(controlId(field)),
    ),
    type: (id: string, text: string | undefined, ...changes: readonly FormChange[]) => {
      setUnfinished(({ [id]: _before, ...others }) => others);
      type(id, text, ...changes);
    },
    finishInput: (id: string) => void finishInput(id),
    async finishAllInput(): Promise<readonly Finding[]> {
      setWithoutFindings(new Set());
      const findings: Finding[] = [];
      for (const id of [...inputFinishers.keys()]) {
        const finding = await finishInput(id);
        if (finding) findings.push(finding);
      }
      return findings;
    },
  };
}

function findingOf(code: string, message: string, field: ValuePath): Finding {
  return { code, severity: 'error', message, help: '', field, line: null, fix: null };
}

type PanelsProps = {
  readonly state: PropertyState;
  readonly save: () => Promise<boolean>;
} & TabsProps;

function Panels({ state, save, errors, tab, setTab }: PanelsProps) {
  const { saved, checked, values } = state;
  const isWide = useMediaQuery(WIDE_SCREEN);
  const isForm = !saved?.obstacle;
  return (
    <>
      {!isWide && isForm && <Tabs tab={tab} setTab={setTab} errors={errors} />}
      <div class={`editing${isForm ? '' : ' only-preview'}`}>
        {isForm && (
          <div class="editing-form stack loose" hidden={!isWide && tab !== 'form'}>
            <PropertyForm />
            {saved && <FileSection property={saved} lines={checked?.lines ?? []} state={state} save={save} />}
          </div>
        )}
        {(isWide || tab === 'preview' || !isForm) && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
          <section class="editing-preview" aria-label="Preview" tabIndex={0}>
            <p class="preview-title flow">
              <strong>Preview</strong> <span class="quiet">How guests will see it</span>
            </p>
            <div class="preview-page">
              <PropertyPreview id={textAt(values, ['id']) || '00000000'} />
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
    form: `Form${errors > 0 ? ` (${countText(errors, 'error')})` : ''}`,
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

type LeaveDialogProps = {
  readonly save: () => Promise<boolean>;
  readonly leave: () => void;
  readonly stay: () => void;
};

function LeaveDialog({ save, leave, stay }: LeaveDialogProps) {
  return (
    <Dialog label="Unsaved changes" className="dialog" close={stay}>
      <h2>Save your changes?</h2>
      <p>
        Something in this property is not saved yet. If you leave, this browser keeps it, and offers it when
        you come back.
      </p>
      <p class="dialog-actions flow">
        <Button look="primary" onClick={async () => ((await save()) ? leave() : stay())}>
          Save and leave
        </Button>
        <Button onClick={leave}>Leave without saving</Button>
        <Button onClick={stay}>Stay here</Button>
      </p>
    </Dialog>
  );
}
