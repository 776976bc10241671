/** What a new view does to scrolling, focus and the title of the window. */
import { useLayoutEffect } from 'preact/hooks';
import { useCatalogue } from './catalogue.ts';
import type { Arrival } from './navigation.ts';

/**
 * Scrolls and moves the focus once after each arrival, when there is something to see.
 *
 * @param title what the view shows; undefined while that is not known.
 * @param refocus where the focus goes after coming back; undefined: to the heading.
 */
export function useArrival(arrival: Arrival, title: string | undefined, refocus?: string): void {
  const { about } = useCatalogue().settings;
  const isReady = title !== undefined;
  useLayoutEffect(() => {
    if (isReady) document.title = `${title} · ${about.title}`;
  }, [title, isReady]);
  useLayoutEffect(() => {
    if (!isReady || arrival.by === 'start') return;
    const before = arrival.by === 'back' && refocus ? document.getElementById(refocus) : null;
    const heading = before ?? document.querySelector<HTMLElement>('main h1');
    if (arrival.focus === 'heading') heading?.focus({ preventScroll: true });
    if (arrival.by === 'back') scrollTo(0, arrival.scroll);
    else if (arrival.focus === 'heading') scrollTo(0, 0);
  }, [arrival, isReady]);
}
