import type { ComponentChildren } from 'preact';

/** What it needs. */
export type IconButtonProps = {
  /** Its name, for people who hear it. */
  readonly label: string;
  /** What a pointer shows: the same, shorter or with its key. */
  readonly title: string;
  /** Without it, there is nothing to do. */
  readonly act: (() => void) | undefined;
  readonly children: ComponentChildren;
};

/** A button that is a picture. */
export function IconButton({ label, title, act, children }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={title}
      aria-disabled={!act}
      onClick={act}
    >
      {children}
    </button>
  );
}
