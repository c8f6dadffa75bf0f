// Addresses are relative to the page, so that it also works behind a proxy that adds a path.
window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#explorer',
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  // More than 120 entries that are open at once take it minutes to draw.
  docExpansion: 'none',
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
})
