import { useEffect, useState } from 'preact/hooks';
import { Button } from '../explorer/button.tsx';
import type { PropertyResponse } from './api.ts';
import { displayValue } from './display-values.ts';
import { editorLinkProps, useEditor } from './editing-context.ts';
import { useInitialFocus } from './focus.ts';
import { textAt } from './form-values.ts';
import { loadPropertyIfPresent, propertyIdOfDraft } from './property-opening.ts';
import { changedFields } from './undo-history.ts';
import type { DraftWithPhotos, UnsavedDraft } from './unsaved-drafts.ts';
import type { EditorView } from './url-state.ts';

/** Rereads the drafts when the window gets the focus, and when another tab releases one. */
function useDrafts(): { readonly closed: readonly UnsavedDraft[]; readonly open: readonly UnsavedDraft[] } {
  const { client, drafts } = useEditor();
  const [found, setFound] = useState<ReturnType<typeof useDrafts>>({ closed: [], open: [] });
  useEffect(() => {
    let reading = new AbortController();
    const placed = async (draft: UnsavedDraft) => ({
      ...draft,
      path:
        (await loadPropertyIfPresent(client, { id: propertyIdOfDraft(draft) }).catch(() => null))?.path ??
        draft.path,
    });
    const read = async (signal: AbortSignal): Promise<void> => {
      const all = await drafts.all();
      const [closed, open] = await Promise.all(
        [all.closed.map(placed), all.open.map(placed)].map((one) => Promise.all(one)),
      );
      if (signal.aborted) return;
      setFound({ closed: closed ?? [], open: open ?? [] });
      if (all.open.length === 0) return;
      const ids = all.open.map(({ id }) => id);
      await drafts.released(ids, signal).then(
        () => read(signal),
        () => {},
      );
    };
    const readAgain = () => {
      reading.abort();
      reading = new AbortController();
      void read(reading.signal);
    };
    readAgain();
    addEventListener('focus', readAgain);
    return () => {
      reading.abort();
      removeEventListener('focus', readAgain);
    };
  }, []);
  return found;
}

type DraftOfferProps = {
  readonly draft: UnsavedDraft;
  readonly file: PropertyResponse | null;
  readonly proceed: (draft: DraftWithPhotos) => void;
  readonly forget: () => void;
  readonly postpone: () => void;
};

export function UnsavedDraftOffer({ draft, file, proceed, forget, postpone }: DraftOfferProps) {
  const { drafts, catalogue } = useEditor();
  useInitialFocus('#draft-title');
  const [isAsked, setAsked] = useState(false);
  const { base, values, texts, at } = draft;
  const fields = Object.entries(changedFields(base, values)).filter(([name]) => name !== 'id');
  const infoOf = (field: string) => catalogue.fields.find(({ name }) => name === field);
  const rows = [
    ...fields.map(
      ([name, value]) =>
        [infoOf(name)?.label ?? name, displayValue(value, infoOf(name) ?? {}, catalogue)] as const,
    ),
    // Keys of `texts` are ids of form controls: `field-<name>-…`.
    ...Object.entries(texts).map(
      ([id, text]) => [`${infoOf(id.split('-')[1] ?? '')?.label ?? ''} (begun)`, text] as const,
    ),
  ];
  const take = async () => {
    const taken = await drafts.take(draft.id);
    if (taken) proceed(taken);
    else forget();
  };
  return (
    <section class="conflict notice" aria-labelledby="draft-title">
      <h1 id="draft-title" tabIndex={-1}>
        {textAt(values, ['title']) || 'New property'}
      </h1>
      <p>
        You typed this on {new Date(at).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' })},
        and it is not saved.
        {draft.path !== null &&
          !file &&
          ' The file of this property is gone: this goes on as a new property.'}
      </p>
      <p class="dialog-actions flow">
        <Button look="primary" onClick={take}>
          Continue with what you typed
        </Button>
        <Button onClick={postpone}>Not now</Button>
        <Button
          look="danger"
          onClick={() => {
            if (!isAsked) return setAsked(true);
            drafts.drop(draft.id);
            forget();
          }}
        >
          {isAsked ? 'Discard it for good' : 'Discard'}
        </Button>
        {isAsked && <span role="alert">What you typed cannot be brought back then.</span>}
      </p>
      <dl class="field-changes stack tight">
        {rows.map(([label, text]) => (
          <div key={label + text}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function UnsavedNotice() {
  const editor = useEditor();
  const { closed, open } = useDrafts();
  const views = new Map<string, { readonly title: string; readonly view: EditorView }>();
  for (const { path, values } of closed) {
    const title = titleOf(values, path);
    views.set(path ?? '', { title, view: path === null ? { kind: 'new' } : { kind: 'property', path } });
  }
  if (views.size + open.length === 0) return null;
  return (
    <section class="notice small stack tight" aria-label="Not saved yet">
      {views.size > 0 && (
        <p class="flow">
          <strong>Not saved yet:</strong>
          {[...views].map(([key, { title, view }]) => (
            <a key={key} {...editorLinkProps(editor, view)}>
              {title}
            </a>
          ))}
        </p>
      )}
      {open.length > 0 && (
        <p>
          <strong>Not saved yet, in another tab:</strong>{' '}
          {open.map(({ values, path }) => titleOf(values, path)).join(', ')}. Go on there, or close that tab
          to go on here.
        </p>
      )}
    </section>
  );
}

function titleOf(values: UnsavedDraft['values'], path: string | null): string {
  return textAt(values, ['title']) || (path ?? 'New property');
}
