import { countText } from '../text/amounts.ts';
import { type ChangedFile, isPropertyPath } from './changes.ts';
import { displayText } from './display-values.ts';
import { editorLinkProps, useEditor } from './editing-context.ts';
import { LineChanges } from './line-changes.tsx';
import { RevertButton } from './revert-button.tsx';

const KINDS = { added: 'New', changed: 'Changed', removed: 'Removed' } as const;

type FileRowProps = {
  readonly file: ChangedFile;
  readonly photos: readonly ChangedFile[];
  readonly isChosen: boolean;
  /** Whether the user must commit the file, because Git commits a merge only as a whole. */
  readonly isLocked: boolean;
  readonly isTitleShared: boolean;
  readonly toggle: () => void;
  readonly reload: () => void;
};

export function FileRow({ file, photos, isChosen, isLocked, isTitleShared, toggle, reload }: FileRowProps) {
  const editor = useEditor();
  const infoOf = (field: string) => editor.catalogue.fields.find(({ name }) => name === field) ?? {};
  const { path, kind, title, city, errors, fields, lines, isPartial = false, isMerging } = file;
  // If a list has several rows, only the first has the button that takes the change back.
  const canTake = (index: number) =>
    kind === 'changed' &&
    !isMerging &&
    new Set(fields.map(({ field }) => field)).size > 1 &&
    fields.findIndex(({ field }) => field === fields[index]?.field) === index;
  const isProperty = isPropertyPath(path) && kind !== 'removed';
  return (
    <li class="changed-file panel stack">
      <div class="flow">
        <label class="check beside">
          <input
            type="checkbox"
            checked={isChosen}
            disabled={isLocked}
            onChange={toggle}
            aria-label={`Record ${title}`}
          />
        </label>
        <h2 title={path}>
          {isProperty ? <a {...editorLinkProps(editor, { kind: 'property', path })}>{title}</a> : title}
        </h2>
        <span class={`badge ${kind}`}>{KINDS[kind]}</span>
        {errors > 0 && <span class="badge error">{countText(errors, 'error')}</span>}
        {!isMerging && <RevertButton file={file} photos={photos} reload={reload} />}
      </div>
      {city && <p class="quiet">{city}</p>}
      {isTitleShared && (
        <p class="quiet">
          <code>{path}</code>
        </p>
      )}
      {photos.length > 0 && (
        <details class="raw-json">
          <summary>With {countText(photos.length, 'photo')}</summary>
          <ul class="stack tight">
            {photos.map(({ path, kind }) => (
              <li key={path} class="flow">
                <span title={path}>{path.split('/').at(-1)}</span>{' '}
                <span class={`badge ${kind}`}>{KINDS[kind]}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {fields.length > 0 && (
        <dl class="field-changes stack">
          {fields.map(({ label, field, ...texts }, index) => {
            const [before, after] = [texts.before, texts.after].map(
              (text) => text && displayText(text, infoOf(field), editor.catalogue),
            );
            const isOne = fields.filter((other) => other.field === field).length === 1;
            return (
              <div key={index}>
                <dt>{label}</dt>
                <dd>
                  {before !== undefined && <del>{before}</del>}
                  {before !== undefined && after !== undefined && <span class="unseen"> became </span>}
                  {after !== undefined && <ins>{after}</ins>}
                  {canTake(index) && (
                    <RevertButton
                      file={file}
                      fields={[field]}
                      label={label}
                      before={isOne ? before : undefined}
                      reload={reload}
                    />
                  )}
                </dd>
              </div>
            );
          })}
        </dl>
      )}
      {lines && lines.length > 0 && (
        <details class="raw-json" open={isPartial && !isMerging}>
          <summary>Lines</summary>
          <LineChanges lines={lines} />
        </details>
      )}
    </li>
  );
}
