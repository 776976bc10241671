/** Payment methods, one by one. */
import { inWords } from '../explorer/words.ts';
import type { FieldInfo } from './catalogue-info.ts';
import { fieldInfo, useEditor } from './editing-context.ts';
import { EntryButtons } from './entry-buttons.tsx';
import { Around } from './field.tsx';
import { useFindings, useForm } from './form-context.ts';
import { Offered } from './offered.tsx';
import { useOrder } from './order.ts';
import { entriesAt } from './snapshots.ts';
import { textAt } from './values.ts';

/** The methods; each may be accepted or not at present, those that are not there yet as buttons. */
export function PaymentsField({ info }: { info: FieldInfo }) {
  const { values, keysOf } = useForm();
  const { catalogue } = useEditor();
  const order = useOrder(info.name, info.label);
  const methods = fieldInfo(catalogue, 'method_type', info.name).values ?? [];
  const entries = entriesAt(values, info.name);
  const has = (method: string) =>
    entries.some((entry) => (entry as { method_type?: string } | null)?.method_type === method);
  return (
    <Around path={[info.name]} help={info.help} className="wide">
      <ul class="rows">
        {entries.map((_entry, index) => (
          <li key={keysOf(info.name)[index]} class="row flat" {...order.target(index)} {...order.keys(index)}>
            <PaymentRow list={info.name} index={index} methods={methods} />
            <EntryButtons order={order} index={index} name={`payment method ${index + 1}`} />
          </li>
        ))}
      </ul>
      <Offered
        label="Add a payment method"
        choices={methods.filter((method) => !has(method)).map((value) => ({ value, label: inWords(value) }))}
        add={(method) => order.add({ is_enabled: 'true', method_type: method })}
      />
    </Around>
  );
}

type PaymentRowProps = { readonly list: string; readonly index: number; readonly methods: readonly string[] };

function PaymentRow({ list, index, methods }: PaymentRowProps) {
  const { values, edit } = useForm();
  const [type, enabled] = [
    [list, index, 'method_type'],
    [list, index, 'is_enabled'],
  ] as const;
  const method = textAt(values, type);
  const typeFindings = useFindings(type);
  const enabledFindings = useFindings(enabled);
  return (
    <>
      <Around path={type}>
        <div class="field">
          <label for={typeFindings.id}>Payment method {index + 1}</label>
          <select
            {...typeFindings.attributes}
            value={method}
            onChange={(event) => edit({ path: type, value: event.currentTarget.value })}
          >
            {(methods.includes(method) ? methods : [method, ...methods]).map((one) => (
              <option key={one} value={one}>
                {inWords(one)}
              </option>
            ))}
          </select>
        </div>
      </Around>
      <Around path={enabled}>
        <label class="check">
          <input
            {...enabledFindings.attributes}
            type="checkbox"
            checked={textAt(values, enabled) === 'true'}
            onChange={(event) => edit({ path: enabled, value: String(event.currentTarget.checked) })}
          />
          Accepted at present
        </label>
      </Around>
    </>
  );
}
