import { Button, IconButton } from '../explorer/button.tsx';
import { BackIcon, CheckIcon } from '../explorer/icons.tsx';
import { useStore } from '../explorer/value-store.ts';
import type { Finding } from './api.ts';
import { editorLinkProps, useEditor } from './editing-context.ts';
import { findingTally, focusFirst } from './findings.ts';
import { RedoIcon, UndoIcon, WarningIcon } from './icons.tsx';
import type { PropertyState } from './property-state.ts';
import { StateBadge } from './state-badge.tsx';

type EditBarProps = {
  readonly state: PropertyState;
  readonly title: string;
  readonly findings: readonly Finding[];
  readonly save: () => void;
  readonly isNew: boolean;
};

export function EditBar({ state, title, findings, save, isNew }: EditBarProps) {
  const editor = useEditor();
  const { isDirty, progress, checked, saved, failure } = state;
  const isFailing = useStore(editor.isStorageFailing);
  const problem = failure?.message ?? editor.problem;
  const tally = findingTally(findings);
  return (
    <div class="edit-bar beside">
      <a class="back" {...editorLinkProps(editor, editor.list)}>
        <BackIcon />
        <span>Properties</span>
      </a>
      <div class="edit-title">
        <h1 tabIndex={-1}>{title}</h1>
        <p class="edit-state flow">
          <StateBadge state={checked?.state ?? saved?.state ?? 'live'} />
          {tally && (
            <button
              type="button"
              class={`badge ${tally.includes('error') ? 'error' : 'warning'}`}
              onClick={() => focusFirst(findings)}
            >
              <WarningIcon />
              {tally}
            </button>
          )}
          <span class="quiet">
            {stateInWords(progress, isDirty, isNew)}
            {isDirty && isFailing && ' This browser cannot keep a copy of it: save before you leave.'}
          </span>
        </p>
      </div>
      <EditActions state={state} save={save} isNew={isNew} />
      <p class="edit-failure" role="alert">
        {problem && (
          <>
            <WarningIcon /> <span>{problem}</span>
          </>
        )}
      </p>
    </div>
  );
}

function EditActions({ state, save, isNew }: Pick<EditBarProps, 'state' | 'save' | 'isNew'>) {
  const { undo, redo, isDirty, progress, conflictedFile } = state;
  const canSave = (isDirty || isNew) && !conflictedFile && progress !== 'saving';
  return (
    <div class="edit-actions beside">
      <IconButton icon={UndoIcon} label="Undo" title="Undo (Ctrl+Z)" act={undo} />
      <IconButton icon={RedoIcon} label="Redo" title="Redo (Ctrl+Shift+Z)" act={redo} />
      <Button look="primary" title="Save (Ctrl+S)" aria-disabled={!canSave} onClick={() => canSave && save()}>
        <CheckIcon />
        {isNew ? 'Create' : 'Save'}
      </Button>
    </div>
  );
}

function stateInWords(progress: PropertyState['progress'], isDirty: boolean, isNew: boolean): string {
  if (progress === 'saving') return 'Saving …';
  if (isNew) return 'Not created yet';
  return isDirty ? 'Not saved yet' : 'All changes are saved';
}
