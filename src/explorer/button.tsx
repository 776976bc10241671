import type { ButtonHTMLAttributes, FunctionComponent } from 'preact';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** Further class names, such as `primary` and `small`. */
  readonly look?: string;
};

export function Button({ look = '', ...attributes }: ButtonProps) {
  return <button type="button" class={`button ${look}`} {...attributes} />;
}

type IconButtonProps = {
  readonly icon: FunctionComponent;
  /** Accessible name. */
  readonly label: string;
  /** Tooltip: a shorter label, or the label with its keyboard shortcut. */
  readonly title?: string;
  readonly look?: string;
  /** Undefined disables the button. */
  readonly act: (() => void) | undefined;
};

export function IconButton({ icon: Icon, label, title, look = 'icon-button', act }: IconButtonProps) {
  return (
    <button type="button" class={look} aria-label={label} title={title} aria-disabled={!act} onClick={act}>
      <Icon />
    </button>
  );
}
