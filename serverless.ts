import { manifest } from './functions/kit/manifest.ts'

/** Every path of the service stands under this. */
export const prefix = '/api/v1'

export const routes = manifest({
  'GET    /health': () => import('./functions/health/get.ts'),
  'GET    /openapi.json': () => import('./functions/docs/openapi-json.ts'),
  'GET    /openapi.yaml': () => import('./functions/docs/openapi-yaml.ts'),
  'GET    /docs': () => import('./functions/docs/explorer.ts'),
  'GET    /docs/{file}': () => import('./functions/docs/file.ts'),
})
