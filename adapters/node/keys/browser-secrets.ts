import { createHash, createHmac, hkdfSync } from 'node:crypto'
import type { BrowserSecrets } from '../../../functions/core/ports/browser-secrets.ts'
import type { OpenKeyRing } from './key-ring.ts'

/**
 * Returns the secrets of browser sessions: derived from the keys of the data directory, so that
 * every process has the same, and never one of those keys itself.
 *
 * @param installation the id of the installation
 */
export function browserSecrets(
  ring: Pick<OpenKeyRing, 'current' | 'keys'>,
  installation: string,
): BrowserSecrets {
  return {
    instance: createHash('sha256').update(installation).digest('hex').slice(0, 8),
    derive(text) {
      const { current, keys } = ring
      const ids = [current, ...Object.keys(keys).filter((id) => id !== current)]
      return ids.flatMap((id) => {
        const key = keys[id]
        return key ? [createHmac('sha256', subkeyOf(key)).update(text).digest()] : []
      })
    },
  }
}

const subkeyOf = (key: Uint8Array) =>
  new Uint8Array(hkdfSync('sha256', key, '', 'browser-session', 32))
