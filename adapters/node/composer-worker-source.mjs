// The worker's first module while it runs from source: Node takes no TypeScript as the first module of a process.
import { register } from 'tsx/esm/api'

register()
await import('./composer-worker.ts')
