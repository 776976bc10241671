/** The view is the query of the page's URL, so each view can be shared and is an entry in the browser's history. */
import { DEFAULT_PAGE_SIZE } from '../contract/parameters.ts';

export const RESULT_ORDERS = ['town', 'name'] as const;
export type ResultOrder = (typeof RESULT_ORDERS)[number];

export type View = {
  readonly country: string;
  readonly city: string;
  /** Name to search for; empty for all. */
  readonly name: string;
  readonly facilities: readonly string[];
  /** By field: the chosen values, or a range such as `2..` or `2..5`. */
  readonly filter: Readonly<Record<string, readonly string[]>>;
  /** `town` is the order of the API's lists. */
  readonly order: ResultOrder;
  readonly page: number;
  readonly size: number;
  readonly property: string;
  /** Language of the properties' texts; empty for the browser's language. */
  readonly lang: string;
};

export const START_VIEW: View = {
  country: '',
  city: '',
  name: '',
  facilities: [],
  filter: {},
  order: 'town',
  page: 1,
  size: DEFAULT_PAGE_SIZE,
  property: '',
  lang: '',
};

export const withoutFilters = ({ size, lang }: View): View => ({ ...START_VIEW, size, lang });

/** `filter.<field>` filters by a field. Without the prefix, a field called `page` would clash with the page number. */
const FIELD = 'filter.';

/** Invalid numbers and orders become the default. The API rejects other invalid values. */
export function parseView(query: string): View {
  const values = new URLSearchParams(query);
  const number = (name: string, otherwise: number) => {
    const text = values.get(name) ?? '';
    return /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : otherwise;
  };
  const fields = new Set([...values.keys()].filter((name) => name.startsWith(FIELD)));
  return {
    country: values.get('country') ?? '',
    city: values.get('city') ?? '',
    name: values.get('name') ?? '',
    facilities: values.getAll('facilities'),
    filter: Object.fromEntries([...fields].map((name) => [name.slice(FIELD.length), values.getAll(name)])),
    order: RESULT_ORDERS.find((order) => order === values.get('order')) ?? START_VIEW.order,
    page: number('page', START_VIEW.page),
    size: number('size', START_VIEW.size),
    property: values.get('property') ?? '',
    lang: values.get('lang') ?? '',
  };
}

export function formatViewQuery(view: View): string {
  const values = new URLSearchParams();
  for (const name of ['country', 'city', 'name', 'order', 'page', 'size', 'property', 'lang'] as const) {
    if (view[name] !== START_VIEW[name]) values.set(name, String(view[name]));
  }
  for (const facility of view.facilities) values.append('facilities', facility);
  for (const [name, chosen] of Object.entries(view.filter))
    for (const value of chosen) values.append(FIELD + name, value);
  return `?${values}`;
}
