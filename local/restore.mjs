// Restores a lost service from a system backup. Builds the program first if the sources are newer
// than the build.
import { ensureBuilt } from './start.mjs'

await ensureBuilt()
await import('../dist/restore.js')
