/** Buttons with words, and buttons that are a picture. */
import type { ButtonHTMLAttributes, FunctionComponent } from 'preact';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** Which kind of button it is, besides a plain one: `primary`, `small`. */
  readonly look?: string;
};

/** A button with words. */
export function Button({ look = '', ...attributes }: ButtonProps) {
  return <button type="button" class={`button ${look}`} {...attributes} />;
}

type IconButtonProps = {
  readonly icon: FunctionComponent;
  /** Its name, for people who hear it. */
  readonly label: string;
  /** What a pointer shows: the same, shorter or with its key. */
  readonly title?: string;
  readonly look?: string;
  /** Without it, there is nothing to do. */
  readonly act: (() => void) | undefined;
};

/** A button that is a picture. */
export function IconButton({ icon: Icon, label, title, look = 'icon-button', act }: IconButtonProps) {
  return (
    <button type="button" class={look} aria-label={label} title={title} aria-disabled={!act} onClick={act}>
      <Icon />
    </button>
  );
}
