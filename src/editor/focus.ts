import { useEffect, useLayoutEffect } from 'preact/hooks';

const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex="0"]';

/**
 * If the focused control is removed, moves the focus to the next control, if possible of the same field. Browsers would
 * move it to the start of the page.
 */
export function useFocusRecovery(): void {
  useEffect(() => {
    let controls: HTMLElement[] = [];
    let place = -1;
    let fields: Element[] = [];
    const onFocus = ({ target }: FocusEvent) => {
      const main = (target as Element).closest('main');
      controls = main ? [...main.querySelectorAll<HTMLElement>(FOCUSABLE)] : [];
      place = controls.indexOf(target as HTMLElement);
      fields = [];
      for (let at = target as Element | null; main?.contains(at); at = at!.parentElement) fields.push(at!);
    };
    const observer = new MutationObserver(() => {
      const lost = controls[place];
      if (!lost || lost.isConnected || document.activeElement !== document.body) return;
      const near = [...controls.slice(place + 1), ...controls.slice(0, place).reverse()];
      const left = near.filter((one) => one.isConnected && one.tabIndex >= 0 && one.checkVisibility());
      const field = fields.find((one) => one.isConnected && left.some((control) => one.contains(control)));
      left.find((control) => field?.contains(control))?.focus();
    });
    document.addEventListener('focusin', onFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, []);
}

/** Does nothing if something else has the focus. */
export function useInitialFocus(selector: string): void {
  useLayoutEffect(() => {
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
  }, []);
}
