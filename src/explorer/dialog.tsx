import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { IconButton } from './button.tsx';
import { CloseIcon } from './icons.tsx';

type DialogProps = {
  readonly label: string;
  readonly className: string;
  readonly close: () => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly children: ComponentChildren;
};

/** Focuses the first input, if any. Gives the focus back when closed. Escape and a click outside call `close`. */
export function Dialog({ label, className, close, onKeyDown, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement as HTMLElement | null;
    element?.showModal();
    element?.querySelector('input')?.focus();
    return () => {
      element?.close();
      opener?.focus({ preventScroll: true });
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the dialog is a short cut for Escape
    <dialog
      ref={dialog}
      class={className}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => event.target === dialog.current && close()}
      {...(onKeyDown ? { onKeyDown } : {})}
    >
      <IconButton icon={CloseIcon} label="Close" look="round-button close" act={close} />
      {children}
    </dialog>
  );
}
