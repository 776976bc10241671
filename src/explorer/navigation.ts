import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { createValueStore, type ValueStore } from './value-store.ts';
import { formatViewQuery, parseView, type View } from './view.ts';

export type NavigationEntry = {
  readonly view: View;
  /** `start`: the page was loaded. `back`: back or forward in the browser's history. `on`: a call of `go`. */
  readonly by: 'start' | 'back' | 'on';
  readonly focus: 'heading' | 'stay';
  readonly focused: Element | null;
  /** Scroll position in pixels when the view was left. */
  readonly scroll: number;
  readonly from: View | undefined;
};

export type Navigation = Pick<ValueStore<NavigationEntry>, 'get' | 'subscribe'> & {
  readonly go: (view: View, focus: NavigationEntry['focus']) => void;
};

export function createNavigation(): Navigation {
  const arrival = (
    by: NavigationEntry['by'],
    focus: NavigationEntry['focus'],
    from: View | undefined,
  ): NavigationEntry => ({
    view: parseView(location.search),
    by,
    focus,
    focused: document.activeElement,
    scroll: Number((history.state as { scroll?: number } | null)?.scroll ?? 0),
    from,
  });
  const store = createValueStore(arrival('start', 'stay', undefined));
  history.scrollRestoration = 'manual';
  // Saves the position after each scroll: on `popstate`, it is too late.
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
      history.pushState(null, '', formatViewQuery(view));
      store.set(arrival('on', focus, store.get().view));
    },
  };
}

export const NavigationContext = createContext<Navigation | undefined>(undefined);

export function useNavigation(): Navigation {
  return useContext(NavigationContext)!;
}

export function viewLinkProps(navigation: Navigation, view: View) {
  return clientSideLinkProps(formatViewQuery(view), () => navigation.go(view, 'heading'));
}

/** A click calls `go` instead of loading the page, unless a modifier key is pressed. */
export function clientSideLinkProps(href: string, go: () => void) {
  return {
    href,
    onClick: (event: MouseEvent) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      go();
    },
  };
}
