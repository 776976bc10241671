import { BackIcon, ForwardIcon } from './icons.tsx';
import { useNavigation, viewLinkProps } from './navigation.ts';
import { visiblePageNumbers } from './page-numbers.ts';
import type { View } from './view.ts';

export function Pager({ view, pages }: { view: View; pages: number }) {
  const navigation = useNavigation();
  if (pages < 2) return null;
  const to = (page: number) => viewLinkProps(navigation, { ...view, page });
  return (
    <nav class="pager flow digits" aria-label="Pages">
      {view.page > 1 && (
        <a class="step" rel="prev" {...to(Math.min(view.page - 1, pages))}>
          <BackIcon />
          <span class="unseen">Previous page</span>
        </a>
      )}
      {visiblePageNumbers(view.page, pages).map((page, index) =>
        page === 0 ? (
          <span key={`gap ${index}`} aria-hidden="true">
            …
          </span>
        ) : (
          <a key={page} {...to(page)} aria-current={page === view.page ? 'page' : undefined}>
            <span class="unseen">Page </span>
            {page}
          </a>
        ),
      )}
      {view.page < pages && (
        <a class="step" rel="next" {...to(view.page + 1)}>
          <ForwardIcon />
          <span class="unseen">Next page</span>
        </a>
      )}
    </nav>
  );
}
