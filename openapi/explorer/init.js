// Addresses are relative to the page, so that it also works behind a proxy that adds a path.
window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#explorer',
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
})
