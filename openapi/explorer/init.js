// URLs are relative to the page, so that it also works behind a proxy that adds a path prefix.
const { SwaggerUIBundle: explorer } = /** @type {any} */ (globalThis)
explorer({
  url: 'openapi.json',
  dom_id: '#explorer',
  presets: [explorer.presets.apis],
  layout: 'BaseLayout',
  // It takes minutes to draw if more than 120 entries are open at once.
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
