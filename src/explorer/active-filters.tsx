import { useCatalogue } from './catalogue.ts';
import { activeFilters } from './filters.ts';
import { CloseIcon } from './icons.tsx';
import { clientSideLinkProps, useNavigation } from './navigation.ts';
import { formatViewQuery, type View } from './view.ts';

export function ActiveFilters({ view }: { view: View }) {
  const navigation = useNavigation();
  const { fields } = useCatalogue().settings;
  const active = activeFilters(view, fields);
  if (active.length === 0) return null;
  const all = { ...view, facilities: [], filter: {}, page: 1 };
  const link = (to: View) => clientSideLinkProps(formatViewQuery(to), () => navigation.go(to, 'stay'));
  return (
    <ul class="active-filters flow" aria-label="Chosen filters">
      {active.map(({ key, label, without }) => (
        <li key={key}>
          <a class="button small" {...link(without)}>
            <span class="unseen">Remove: </span>
            {label}
            <CloseIcon />
          </a>
        </li>
      ))}
      <li>
        <a class="quiet" {...link(all)}>
          Clear filters
        </a>
      </li>
    </ul>
  );
}
