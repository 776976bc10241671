import { useLayoutEffect } from 'preact/hooks';
import { useCatalogue } from './catalogue.ts';
import type { NavigationEntry } from './navigation.ts';

/**
 * Sets the page's title. After each navigation, scrolls and moves the focus once the content is shown, unless the
 * reader has focused something else.
 * @param title the view's title; undefined while the view loads
 * @param refocus id of the element to focus after going back; if undefined, the heading gets the focus
 */
export function useScrollAndFocus(
  arrival: NavigationEntry,
  title: string | undefined,
  refocus?: string,
): void {
  const { about } = useCatalogue().settings;
  const isReady = title !== undefined;
  useLayoutEffect(() => {
    if (isReady) document.title = `${title} · ${about.title}`;
  }, [title, isReady]);
  useLayoutEffect(() => {
    if (!isReady || arrival.by === 'start') return;
    const { activeElement: focused } = document;
    if (focused && focused !== document.body && focused !== arrival.focused) return;
    const before = arrival.by === 'back' && refocus ? document.getElementById(refocus) : null;
    const heading = before ?? document.querySelector<HTMLElement>('main h1');
    if (arrival.focus === 'heading') heading?.focus({ preventScroll: true });
    if (arrival.by === 'back') scrollTo(0, arrival.scroll);
    else if (arrival.focus === 'heading') scrollTo(0, 0);
  }, [arrival, isReady]);
}
