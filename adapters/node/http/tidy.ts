import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Only parts of bundles are as large as this: 4 MiB in base64. */
const large = 5 * 1024 * 1024

let collect: (() => void) | undefined

/**
 * Has what a very large body left behind collected at once, for some tens of milliseconds. Left to itself the collector lets
 * more than a hundred megabytes of such bodies come together before it looks.
 */
export function tidyAfter(bytes: number): void {
  if (bytes < large) return
  collect ??= collector()
  setImmediate(collect)
}

function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc: () => void = runInNewContext('gc')
  return () => gc()
}
