import { manifest } from './functions/kit/manifest.ts'

/** Every path of the service stands under this. */
export const prefix = '/api/v1'

export const routes = manifest({
  'GET    /health': () => import('./functions/health/get.ts'),
})
