import { createHmac } from 'node:crypto'
import type { BrowserSecrets } from '../../../functions/core/ports/browser-secrets.ts'

/** Returns the secrets of an installation with one key, to which a test can add another. */
export function memoryBrowserSecrets(): BrowserSecrets & { keys: string[] } {
  const keys = ['first key']
  return {
    instance: '0a1b2c3d',
    keys,
    derive: (text) => keys.map((key) => createHmac('sha256', key).update(text).digest()),
  }
}
