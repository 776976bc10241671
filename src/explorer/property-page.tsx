import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Countries } from '../contract/downloads.ts';
import type { Property } from '../contract/property.ts';
import { useArrival } from './arrival.ts';
import { useCatalogue } from './catalogue.ts';
import { CopyButton } from './copy-button.tsx';
import { Failure } from './failure.tsx';
import { Gallery } from './gallery.tsx';
import { BackIcon, CheckIcon, CloseIcon, MailIcon, PhoneIcon, PinIcon } from './icons.tsx';
import { useLoaded } from './loaded.ts';
import { MapView } from './map-view.tsx';
import { type Arrival, linkTo, useNavigation } from './navigation.ts';
import { RequestStrip } from './requests.tsx';
import { START } from './view.ts';
import { countryName, inWords } from './words.ts';

/** What the page of a property needs. */
export type PropertyPageProps = { readonly arrival: Arrival; readonly countries: Countries | undefined };

/** Everything about one property. */
export function PropertyPage({ arrival, countries }: PropertyPageProps) {
  const { view } = arrival;
  const catalogue = useCatalogue();
  const navigation = useNavigation();
  const id = view.property;
  const loaded = useLoaded<Property>(
    `property ${id}`,
    (signal) => catalogue.property(id, signal),
    catalogue.kept,
  );
  const property = loaded.value;
  useArrival(arrival, property?.title ?? (loaded.error ? 'Property' : undefined));
  return (
    <article class="property" aria-busy={loaded.isLoading}>
      <a class="back" {...linkTo(navigation, { ...view, property: '' })}>
        <BackIcon />
        All results
      </a>
      {property && <PropertyHead property={property} countries={countries} />}
      {loaded.error !== undefined && (
        <>
          <h1 tabIndex={-1}>This property cannot be shown</h1>
          <Failure error={loaded.error} retry={loaded.retry} />
        </>
      )}
      {!property && loaded.isLoading && <PropertyToCome />}
      {property && <Gallery property={property} id={id} />}
      {property && <PropertyBody property={property} id={id} />}
      <RequestStrip purpose="property" />
      {property && <RawJson value={property} />}
    </article>
  );
}

function PropertyHead({ property, countries }: { property: Property; countries: Countries | undefined }) {
  const navigation = useNavigation();
  const { title, city, state, country, address, zip_code } = property;
  const name = countries?.countries.find(({ code }) => code === country)?.name ?? countryName(country);
  const street = [address, [zip_code, city].filter(Boolean).join(' '), state === city ? '' : state];
  return (
    <header class="property-head">
      <h1 tabIndex={-1}>{title}</h1>
      <p class="address">
        <PinIcon />
        {street.filter(Boolean).join(', ')}
      </p>
      <p class="tags">
        <a {...linkTo(navigation, { ...START, country, city })}>More in {city}</a>
        <a {...linkTo(navigation, { ...START, country })}>More in {name}</a>
      </p>
    </header>
  );
}

function PropertyBody({ property, id }: { property: Property; id: string }) {
  const { facilities, hotel_policy, payment_method, currency } = property;
  return (
    <div class="property-body">
      <div class="property-main">
        <Section title="Facilities">
          {facilities.length === 0 && <p class="quiet">None are named.</p>}
          <ul class="facilities">
            {facilities.map((facility) => (
              <li key={facility}>
                <CheckIcon />
                {inWords(facility)}
              </li>
            ))}
          </ul>
        </Section>
        <Section title="Policies">
          {hotel_policy.length === 0 && <p class="quiet">None are named.</p>}
          <dl class="policies">
            {hotel_policy.map(({ policy_type, detail }, index) => (
              <div key={index}>
                <dt>{inWords(policy_type)}</dt>
                <dd>{detail}</dd>
              </div>
            ))}
          </dl>
        </Section>
        <Section title="Payment">
          {payment_method.length === 0 && <p class="quiet">No methods are named.</p>}
          <ul class="payments">
            {payment_method.map(({ method_type, is_enabled }, index) => (
              <li key={index} class={is_enabled ? 'enabled' : 'disabled'}>
                {is_enabled ? <CheckIcon /> : <CloseIcon />}
                <span>
                  {inWords(method_type)}
                  <span class="quiet">{is_enabled ? ' – accepted' : ' – not accepted at present'}</span>
                </span>
              </li>
            ))}
          </ul>
          <p class="quiet">Prices are in {currency}.</p>
        </Section>
      </div>
      <div class="property-side">
        <Contact property={property} />
        <Location property={property} id={id} />
      </div>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="section">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Contact({ property: { email, phone } }: { property: Property }) {
  return (
    <Section title="Contact">
      {!email && !phone && <p class="quiet">None is known.</p>}
      {email && (
        <p class="contact">
          <MailIcon />
          <a href={`mailto:${email}`}>{email}</a>
        </p>
      )}
      {phone && (
        <p class="contact">
          <PhoneIcon />
          <a href={`tel:${phone}`}>{phone}</a>
        </p>
      )}
    </Section>
  );
}

function Location({ property: { title, latitude, longitude }, id }: { property: Property; id: string }) {
  return (
    <Section title="Location">
      <LocationMap id={id} title={title} latitude={latitude} longitude={longitude} />
      <p class="quiet coordinates">
        {latitude}, {longitude}{' '}
        <CopyButton text={`${latitude},${longitude}`} label="Copy coordinates" short="Copy" />
      </p>
    </Section>
  );
}

type LocationMapProps = { id: string; title: string; latitude: string; longitude: string };

function LocationMap({ id, title, latitude, longitude }: LocationMapProps) {
  const places = useMemo(
    () => [
      { id, name: title, mark: '', position: { latitude: Number(latitude), longitude: Number(longitude) } },
    ],
    [id, title, latitude, longitude],
  );
  return <MapView label={`Map: where ${title} is`} places={places} isWhole onActive={() => {}} />;
}

function RawJson({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <details class="raw-json">
      <summary>Raw JSON</summary>
      <CopyButton text={text} label="Copy JSON" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section tabIndex={0} aria-label="Raw JSON">
        <pre>{text}</pre>
      </section>
    </details>
  );
}

function PropertyToCome() {
  return (
    <div class="to-come" aria-hidden="true">
      <span class="line title" />
      <span class="line short" />
      <span class="picture wide" />
    </div>
  );
}
