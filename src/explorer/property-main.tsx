import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { currencyName, identifierToWords } from '../contract/display-text.ts';
import type { Property } from '../contract/property.ts';
import {
  type AttributeText,
  arrivalAndDepartureTexts,
  attributeLink,
  attributePriceText,
  attributeRows,
  registrationRow,
} from './attribute-rows.ts';
import { Button } from './button.tsx';
import { type ShownProperty, useCatalogue } from './catalogue.ts';
import { detailRows } from './detail-rows.ts';
import { CheckIcon, CloseIcon } from './icons.tsx';
import { PropertyDescription } from './property-description.tsx';
import { languageProps, useTexts } from './property-texts.tsx';

type PropertyProps = { readonly property: ShownProperty };

export function PropertyMain({ property }: PropertyProps) {
  const { facilities, payment_method, attributes = {} } = property;
  const { labels, language, fields = {} } = useCatalogue().settings;
  const texts = useTexts();
  const { description, summary } = texts.attributes;
  const policies = usePolicies(property);
  const others = detailRows(property, labels).map(({ label, value }) => ({
    label,
    texts: [{ text: value, language }],
  }));
  const rows = [...attributeRows(attributes, fields, texts.attributes), ...others];
  const parts = [facilities, policies, payment_method, rows].map(({ length }) => length > 0);
  if (!parts.includes(true) && !description && !summary) return null;
  return (
    <div class="property-main stack">
      <PropertyDescription />
      {facilities.length > 0 && <Facilities facilities={facilities} />}
      {rows.length > 0 && <Details title="Details" rows={rows} />}
      {policies.length > 0 && <Details title="Policies" rows={policies} />}
      {payment_method.length > 0 && <Payment property={property} />}
    </div>
  );
}

function usePolicies({ hotel_policy, attributes = {} }: ShownProperty): Row[] {
  const texts = useTexts();
  const times = arrivalAndDepartureTexts(attributes, useCatalogue().settings.fields ?? {});
  const written = new Set(hotel_policy.map(({ policy_type }) => policy_type));
  const first = hotel_policy.findIndex(({ policy_type }) => times.has(policy_type));
  const own = hotel_policy.map(({ policy_type }, index) => {
    const isFirst = hotel_policy.findIndex((one) => one.policy_type === policy_type) === index;
    const time = isFirst ? times.get(policy_type) : undefined;
    const detail = texts.hotel_policy[index]!;
    return { label: identifierToWords(policy_type), texts: time ? [{ text: time }, detail] : [detail] };
  });
  const added = [...times].flatMap(([type, text]) =>
    written.has(type) ? [] : [{ label: identifierToWords(type), texts: [{ text }] }],
  );
  const at = first < 0 ? 0 : first + 1;
  return [...own.slice(0, at), ...added, ...own.slice(at)];
}

const ACTIONS = { booking_url: 'Book', website: 'Website' } as const;

export function BookingLink({
  name,
  look,
  property: { attributes = {} },
}: PropertyProps & { readonly name: keyof typeof ACTIONS; readonly look: string }) {
  const field = useCatalogue().settings.fields?.[name];
  const href = attributeLink(attributes, name);
  if (!href) return null;
  return (
    <a class={`button ${look}`} href={href} rel="noreferrer">
      {field?.isRenamed ? field.label : ACTIONS[name]}
      <span class="unseen"> at {new URL(href).host}</span>
    </a>
  );
}

export function BookingActions({ property }: PropertyProps) {
  const { attributes = {}, currency } = property;
  const price = attributePriceText(attributes, useCatalogue().settings.fields ?? {}, currency);
  const links = Object.keys(ACTIONS).filter((name) =>
    attributeLink(attributes, name),
  ) as (keyof typeof ACTIONS)[];
  if (price === undefined && links.length === 0) return null;
  return (
    <section class="property-actions panel stack" aria-label="Booking">
      {price !== undefined && (
        <p>
          From <strong class="price digits">{price}</strong> per night
        </p>
      )}
      <p class="flow">
        {links.map((name, index) => (
          <BookingLink key={name} name={name} look={index === 0 ? 'primary' : ''} property={property} />
        ))}
      </p>
    </section>
  );
}

export function RegistrationNumber({ property: { attributes = {} } }: PropertyProps) {
  const { fields = {} } = useCatalogue().settings;
  const row = registrationRow(attributes, fields);
  if (!row) return null;
  return (
    <p class="registration quiet">
      {row.label}: {row.texts.map(({ text }) => text).join(', ')}
    </p>
  );
}

/** Number of facilities that a folded list shows. A list with up to two more is not folded. */
const FACILITIES_SHOWN = 6;

function Facilities({ facilities }: Pick<Property, 'facilities'>) {
  const [isOpen, setOpen] = useState(false);
  const isLong = facilities.length > FACILITIES_SHOWN + 2;
  return (
    <PropertySection title="Facilities">
      <ul class="facilities">
        {facilities.map((facility, index) => (
          <li key={facility} hidden={isLong && !isOpen && index >= FACILITIES_SHOWN}>
            <CheckIcon />
            {identifierToWords(facility)}
          </li>
        ))}
      </ul>
      {isLong && (
        <Button look="small show-more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show fewer' : `Show all ${facilities.length} facilities`}
        </Button>
      )}
    </PropertySection>
  );
}

type Row = { readonly label: string; readonly texts: readonly AttributeText[] };

function Details({ title, rows }: { title: string; rows: readonly Row[] }) {
  return (
    <PropertySection title={title}>
      <dl class="policies stack">
        {rows.map(({ label, texts }, index) => (
          <div key={index}>
            <dt>{label}</dt>
            {texts.map((text, at) => (
              <dd key={at} {...languageProps({ language: text.language })}>
                {text.href ? (
                  <a href={text.href} rel="noreferrer">
                    {text.text}
                  </a>
                ) : (
                  text.text
                )}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </PropertySection>
  );
}

function Payment({ property: { payment_method, currency } }: PropertyProps) {
  return (
    <PropertySection title="Payment">
      <ul class="payments stack">
        {payment_method.map(({ method_type, is_enabled }, index) => (
          <li key={index} class={is_enabled ? 'enabled' : 'disabled'}>
            {is_enabled ? <CheckIcon /> : <CloseIcon />}
            <span>
              {identifierToWords(method_type)}
              <span class="quiet">{is_enabled ? ' – accepted' : ' – not accepted at present'}</span>
            </span>
          </li>
        ))}
      </ul>
      <p class="quiet">Currency of the prices: {currencyName(currency)}</p>
    </PropertySection>
  );
}

export function PropertySection({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="section stack">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
