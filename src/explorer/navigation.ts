import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { createStore, type ValueStore } from './store.ts';
import { parseView, type View, viewQuery } from './view.ts';

export type Arrival = {
  readonly view: View;
  /** `start`: the page was loaded. `back`: the browser's history. `on`: a link. */
  readonly by: 'start' | 'back' | 'on';
  readonly focus: 'heading' | 'stay';
  readonly focused: Element | null;
  /** Scroll position in pixels when the view was left. */
  readonly scroll: number;
  readonly from: View | undefined;
};

export type Navigation = Pick<ValueStore<Arrival>, 'get' | 'subscribe'> & {
  readonly go: (view: View, focus: Arrival['focus']) => void;
};

export function createNavigation(): Navigation {
  const arrival = (by: Arrival['by'], focus: Arrival['focus'], from: View | undefined): Arrival => ({
    view: parseView(location.search),
    by,
    focus,
    focused: document.activeElement,
    scroll: Number((history.state as { scroll?: number } | null)?.scroll ?? 0),
    from,
  });
  const store = createStore(arrival('start', 'stay', undefined));
  history.scrollRestoration = 'manual';
  // Saved after each scroll, because `popstate` is too late.
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

export const NavigationContext = createContext<Navigation | undefined>(undefined);

export function useNavigation(): Navigation {
  return useContext(NavigationContext)!;
}

export function viewLinkProps(navigation: Navigation, view: View) {
  return linkWithin(viewQuery(view), () => navigation.go(view, 'heading'));
}

/** The link navigates without loading the page, unless a modifier key is pressed. */
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
