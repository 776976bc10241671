/** Going from view to view with the browser's own history. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { createStore, type ValueStore } from './store.ts';
import { parseView, type View, viewQuery } from './view.ts';

/** How the reader came to the present view. */
export type Arrival = {
  readonly view: View;
  /** `start`: the page was opened; `back`: through the browser's history; `on`: from another view. */
  readonly by: 'start' | 'back' | 'on';
  /** Whether the focus goes to the heading of what is new, or stays where it is. */
  readonly focus: 'heading' | 'stay';
  /** How far the page was scrolled when it was left, in pixels. */
  readonly scroll: number;
  /** The view before. */
  readonly from: View | undefined;
};

/** The present view, and ways to others. */
export type Navigation = Pick<ValueStore<Arrival>, 'get' | 'subscribe'> & {
  readonly go: (view: View, focus: Arrival['focus']) => void;
};

/** Starts with the URL of the page. */
export function createNavigation(): Navigation {
  const arrival = (by: Arrival['by'], focus: Arrival['focus'], from: View | undefined): Arrival => ({
    view: parseView(location.search),
    by,
    focus,
    scroll: Number((history.state as { scroll?: number } | null)?.scroll ?? 0),
    from,
  });
  const store = createStore(arrival('start', 'stay', undefined));
  history.scrollRestoration = 'manual';
  // Written when scrolling ends: when the browser goes back, it is too late.
  let timer: ReturnType<typeof setTimeout> | undefined;
  addEventListener('scroll', () => {
    clearTimeout(timer);
    timer = setTimeout(() => history.replaceState({ scroll: scrollY }, ''), 100);
  });
  addEventListener('popstate', () => {
    clearTimeout(timer);
    store.set(arrival('back', 'heading', store.get().view));
  });
  return {
    ...store,
    go: (view, focus) => {
      clearTimeout(timer);
      history.replaceState({ scroll: scrollY }, '');
      history.pushState(null, '', viewQuery(view));
      store.set(arrival('on', focus, store.get().view));
    },
  };
}

/** The navigation, for everything below the page. */
export const NavigationContext = createContext<Navigation | undefined>(undefined);

/** The navigation. */
export function useNavigation(): Navigation {
  return useContext(NavigationContext)!;
}

/** What a link to a view needs. */
export function linkTo(navigation: Navigation, view: View) {
  return linkWithin(viewQuery(view), () => navigation.go(view, 'heading'));
}

/** A link that works as any link does, and without loading the page again. */
export function linkWithin(href: string, go: () => void) {
  return {
    href,
    onClick: (event: MouseEvent) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      go();
    },
  };
}
