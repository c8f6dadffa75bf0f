// Makes the image of the service in a clone, also in a fresh one: first installs the packages if
// they are missing or outdated. Those that a running demo of the clone uses stay.
import { ensureModules } from './setup/modules.mjs'

if (!ensureModules(console.error)) process.exit(1)
await import('../packaging/image/build.mjs')
