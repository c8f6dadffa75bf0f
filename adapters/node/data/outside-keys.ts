import type { KeyRing } from '../../../functions/core/records/keys.ts'
import type { Config } from '../config/config.ts'
import { parseKeys } from '../config/key-text.ts'

/**
 * Returns the keys of `SERVICE_SECRET_KEY`, the first one as the current one, or undefined if the
 * keys of this process are files.
 */
export function outsideKeys({
  keyPlace,
  secretKey,
}: Pick<Config, 'keyPlace' | 'secretKey'>): KeyRing | undefined {
  if (keyPlace === 'files' || secretKey === undefined) return undefined
  const keys = parseKeys(secretKey, 'SERVICE_SECRET_KEY')
  const [first] = keys
  return (
    first && { current: first.id, keys: Object.fromEntries(keys.map(({ id, key }) => [id, key])) }
  )
}
