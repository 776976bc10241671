/** Policies, one by one. */
import type { FieldInfo } from './catalogue-info.ts';
import { ChoiceField } from './choice-field.tsx';
import { fieldInfo, useEditor } from './editing-context.ts';
import { EntryButtons } from './entry-buttons.tsx';
import { Around, TextInput } from './field.tsx';
import { controlId } from './findings.ts';
import { useForm } from './form-context.ts';
import { Offered } from './offered.tsx';
import { useOrder } from './order.ts';
import { entriesAt } from './snapshots.ts';

/** Types that are offered as buttons. */
const OFFERED = 6;

/** The policies, each with its type and its text; types that are not there yet as buttons. */
export function PoliciesField({ info }: { info: FieldInfo }) {
  const { values, keysOf, edit } = useForm();
  const { catalogue } = useEditor();
  const order = useOrder(info.name, info.label);
  const [typeInfo, detailInfo] = [
    fieldInfo(catalogue, 'policy_type', info.name),
    fieldInfo(catalogue, 'detail', info.name),
  ];
  const types = catalogue.vocabulary.policy_types.map(({ word, ...rest }) => ({ ...rest, value: word }));
  const entries = entriesAt(values, info.name);
  const has = (type: string) =>
    entries.some((entry) => (entry as { policy_type?: string } | null)?.policy_type === type);
  const add = (type: string) => {
    order.add({ policy_type: type, detail: '' });
    const path = [info.name, entries.length, type ? 'detail' : 'policy_type'];
    setTimeout(() => document.getElementById(controlId(path))?.focus());
  };
  return (
    <Around path={[info.name]} className="wide">
      <ul class="rows">
        {entries.map((_entry, index) => (
          <li key={keysOf(info.name)[index]} class="row" {...order.target(index)} {...order.keys(index)}>
            <ChoiceField
              path={[info.name, index, 'policy_type']}
              info={{ ...typeInfo, label: `Type of policy ${index + 1}`, help: '', required: true }}
              choices={types}
              isOpen={catalogue.isOpen.policy_types}
              write={(value) => edit({ path: [info.name, index, 'policy_type'], value })}
            />
            <TextInput
              path={[info.name, index, 'detail']}
              info={{ ...detailInfo, label: `Text of policy ${index + 1}`, help: '', required: true }}
              className="wide"
            />
            <EntryButtons order={order} index={index} name={`policy ${index + 1}`} />
          </li>
        ))}
      </ul>
      <Offered
        label="Add a policy"
        choices={[
          ...types.filter(({ value }) => !has(value)).slice(0, OFFERED),
          { value: '', label: 'Another policy' },
        ]}
        add={add}
      />
    </Around>
  );
}
