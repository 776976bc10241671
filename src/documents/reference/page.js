// Shows the OpenAPI document next to this page. Requests go to the server that the page came from, so that a copy of
// the catalogue sends them to itself.
/* global SwaggerUIBundle */
const place = document.getElementById('reference');
const root = new URL('..', location.href).href.replace(/\/$/, '');

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

// Links back to the explorer, if there is one.
read('../index.json').then(
  ({ title, links }) => {
    document.title = `API reference · ${title}`;
    const explorer = links.find(({ rel, type }) => rel === 'alternate' && type === 'text/html');
    if (!explorer) return;
    const back = document.getElementById('back');
    back.querySelector('a').textContent = `← ${title}`;
    back.hidden = false;
  },
  () => {},
);

read('../openapi.json')
  .then((spec) => {
    spec.servers = [{ url: root, description: 'Where this page came from.' }];
    if (spec.info.license?.name === 'Not stated') delete spec.info.license;
    if (!needsKey(spec)) withoutKeys(spec);
    place.replaceChildren();
    new MutationObserver(mend).observe(place, { childList: true, subtree: true });
    SwaggerUIBundle({
      spec,
      domNode: place,
      presets: [SwaggerUIBundle.presets.apis],
      layout: 'BaseLayout',
      deepLinking: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      // Otherwise Swagger UI asks a validator on another host.
      validatorUrl: null,
    });
  })
  .catch((error) => {
    const text = document.createElement('p');
    text.setAttribute('role', 'alert');
    text.textContent = `The reference could not be shown (${error.message}). The same is in ../openapi.yaml.`;
    place.replaceChildren(text);
  });

async function read(file) {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file.slice(3)}: ${response.status}`);
  return response.json();
}

function operationsOf({ paths }) {
  return Object.values(paths).flatMap((path) => [path, ...Object.values(path)]);
}

function needsKey(spec) {
  return operationsOf(spec).some(
    ({ security }) => security?.length > 0 && security.every((one) => Object.keys(one).length > 0),
  );
}

function withoutKeys(spec) {
  delete spec.components.securitySchemes;
  for (const operation of operationsOf(spec)) delete operation.security;
}

/** Fixes what screen readers and keyboards cannot use. */
function mend() {
  place.querySelector('#servers:not([aria-label])')?.setAttribute('aria-label', 'Server');
  for (const [selector, label] of [
    ['.information-container', 'About'],
    ['.scheme-container', 'Server'],
  ]) {
    const part = place.querySelector(`${selector}:not([role])`);
    part?.setAttribute('role', 'region');
    part?.setAttribute('aria-label', label);
  }
  for (const heading of place.querySelectorAll(':is(h3.opblock-tag, section.models h4):not([aria-level])')) {
    heading.setAttribute('aria-level', '2');
    heading.setAttribute('role', 'heading');
  }
  // Screen readers cannot use a link within a button. The button itself opens the operation and sets the URL.
  for (const link of place.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href');
}
