/** The view in the page's URL: every view can be shared, and is an entry of the browser's history. */
import { DEFAULT_PAGE_SIZE } from '../contract/parameters.ts';

export const ORDERS = ['town', 'name'] as const;
export type Order = (typeof ORDERS)[number];

export type View = {
  readonly country: string;
  readonly city: string;
  /** Parts of names; empty for all. */
  readonly name: string;
  /** `town`: the order of the API. */
  readonly order: Order;
  /** Page number, from 1. */
  readonly page: number;
  readonly size: number;
  readonly property: string;
  /** Language of a property's texts; empty for the browser's. */
  readonly lang: string;
};

export const START: View = {
  country: '',
  city: '',
  name: '',
  order: 'town',
  page: 1,
  size: DEFAULT_PAGE_SIZE,
  property: '',
  lang: '',
};

/** The first page of the unfiltered list, with what a reader chose for all pages. */
export const startOf = ({ size, lang }: View): View => ({ ...START, size, lang });

/** Parses the page's query. Invalid numbers become the default; other invalid values are left for the API to refuse. */
export function parseView(query: string): View {
  const values = new URLSearchParams(query);
  const number = (name: string, otherwise: number) => {
    const text = values.get(name) ?? '';
    return /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : otherwise;
  };
  return {
    country: values.get('country') ?? '',
    city: values.get('city') ?? '',
    name: values.get('name') ?? '',
    order: ORDERS.find((order) => order === values.get('order')) ?? START.order,
    page: number('page', START.page),
    size: number('size', START.size),
    property: values.get('property') ?? '',
    lang: values.get('lang') ?? '',
  };
}

export function viewQuery(view: View): string {
  const values = new URLSearchParams();
  for (const name of ['country', 'city', 'name', 'order', 'page', 'size', 'property', 'lang'] as const) {
    if (view[name] !== START[name]) values.set(name, String(view[name]));
  }
  return `?${values}`;
}
