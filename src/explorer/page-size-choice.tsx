import { useCatalogue } from './catalogue.ts';
import { useNavigation } from './navigation.ts';
import type { View } from './view.ts';

const OFFERED_SIZES = [10, 25, 50, 100];

/** Also changes the page number, so that the page's first property stays in view. */
export function PageSizeChoice({ view }: { view: View }) {
  const { pageSizes } = useCatalogue().settings;
  const navigation = useNavigation();
  const offered = pageSizes === 'all' ? OFFERED_SIZES : pageSizes;
  const sizes = [...new Set([...offered, view.size])].sort((one, other) => one - other);
  const choose = (size: number) => {
    const first = (view.page - 1) * view.size;
    navigation.go({ ...view, size, page: Math.floor(first / size) + 1 }, 'stay');
  };
  return (
    <>
      <label class="unseen" for="page-size">
        Per page
      </label>
      <select
        id="page-size"
        value={view.size}
        onChange={(event) => choose(Number(event.currentTarget.value))}
      >
        {sizes.map((size) => (
          <option key={size} value={size}>
            {size} per page
          </option>
        ))}
      </select>
    </>
  );
}
