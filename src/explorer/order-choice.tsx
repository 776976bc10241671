import { useNavigation } from './navigation.ts';
import { ORDERS, type Order, type View } from './view.ts';

const WORDS: Readonly<Record<Order, string>> = { town: 'By town', name: 'By name' };

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
          const order = ORDERS[event.currentTarget.selectedIndex]!;
          navigation.go({ ...view, order, page: 1 }, 'stay');
        }}
      >
        {ORDERS.map((order) => (
          <option key={order} value={order}>
            {order === 'town' && view.name ? 'Best match' : WORDS[order]}
          </option>
        ))}
      </select>
    </>
  );
}
