import { useNavigation } from './navigation.ts';
import { RESULT_ORDERS, type ResultOrder, type View } from './view.ts';

const WORDS: Readonly<Record<ResultOrder, string>> = { town: 'By town', name: 'By name' };

/** Choosing an order returns to the first page. */
export function OrderChoice({ view }: { view: View }) {
  const navigation = useNavigation();
  return (
    <>
      <label class="unseen" for="order">
        Order
      </label>
      <select
        id="order"
        value={view.order}
        onChange={(event) => {
          const order = RESULT_ORDERS[event.currentTarget.selectedIndex]!;
          navigation.go({ ...view, order, page: 1 }, 'stay');
        }}
      >
        {RESULT_ORDERS.map((order) => (
          <option key={order} value={order}>
            {order === 'town' && view.name ? 'Best match' : WORDS[order]}
          </option>
        ))}
      </select>
    </>
  );
}
