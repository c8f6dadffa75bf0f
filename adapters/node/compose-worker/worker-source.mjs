// The entry point of the worker when it runs from source, because Node does not accept TypeScript
// there.
import { register } from 'tsx/esm/api'

register()
await import('./worker.ts')
