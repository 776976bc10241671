// Shows the OpenAPI document beside this page, and tries requests where this page came from: a copy on another host,
// or on one's own machine, asks itself and nobody else.
/* global SwaggerUIBundle */
const place = document.getElementById('reference');
const root = new URL('..', location.href).href.replace(/\/$/, '');

fetch('../openapi.json')
  .then((response) => {
    if (!response.ok) throw new Error(`openapi.json: ${response.status}`);
    return response.json();
  })
  .then((spec) => {
    spec.servers = [{ url: root, description: 'Where this page came from.' }];
    place.replaceChildren();
    SwaggerUIBundle({
      spec,
      domNode: place,
      presets: [SwaggerUIBundle.presets.apis],
      layout: 'BaseLayout',
      deepLinking: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      // Else it asks a validator on another host.
      validatorUrl: null,
    });
  })
  .catch((error) => {
    const text = document.createElement('p');
    text.setAttribute('role', 'alert');
    text.textContent = `The reference could not be shown (${error.message}). The same is in ../openapi.yaml.`;
    place.replaceChildren(text);
  });
