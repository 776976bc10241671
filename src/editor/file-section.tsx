import type { PropertyResponse } from './api.ts';
import type { LineHunk } from './changes.ts';
import { LineChanges } from './line-changes.tsx';
import { PropertyActions } from './property-actions.tsx';
import type { PropertyState } from './property-state.ts';

type FileSectionProps = {
  readonly property: PropertyResponse;
  readonly lines: readonly LineHunk[];
  readonly state: PropertyState;
  readonly save: () => Promise<boolean>;
};

export function FileSection({ property, lines, state, save }: FileSectionProps) {
  return (
    <section class="form-section panel stack">
      <header>
        <h2>File</h2>
        <p class="quiet">
          <code>{property.path}</code>
        </p>
      </header>
      {lines.length > 0 && (
        <details class="raw-json">
          <summary>Lines that saving will change</summary>
          <LineChanges lines={lines} />
        </details>
      )}
      <p class="dialog-actions flow">
        <a class="button" href={property.link}>
          Open as text
        </a>
        <PropertyActions
          path={property.path}
          title={String(property.values.title ?? property.path)}
          state={state}
          save={save}
        />
      </p>
    </section>
  );
}
