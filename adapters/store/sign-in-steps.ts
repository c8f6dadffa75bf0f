import type { Clock } from '../../functions/core/ports/clock.ts'
import type { SignInSteps } from '../../functions/core/ports/sign-in-steps.ts'
import type { SignInStep } from '../../functions/core/records/identity-provider.ts'
import { newRevision, ttlAt } from './item.ts'
import { open, type SecretKeys, seal } from './sealed.ts'
import { absent, type Table } from './table.ts'

/**
 * Stores a step as one encrypted item under its hash (`sign-in#<hash>`), which its use deletes. If
 * the response to that delete is lost, the retry finds nothing: the step is then lost, but never
 * used twice.
 */
export function storedSignInSteps(table: Table, clock: Clock, keys: SecretKeys): SignInSteps {
  const at = (hash: string) => ({ pk: `sign-in#${hash}`, sk: '-' })
  return {
    async create(hash, step, expiresAt) {
      const key = keys.current
      const sealed = seal(keys, key, Buffer.from(JSON.stringify(step)), placeOf(at(hash)))
      const until = { until: expiresAt, ttl: ttlAt(expiresAt) }
      await table.put({ ...at(hash), rev: newRevision(), ...until, key, sealed }, absent)
    },
    async use(hash) {
      const good = { if: '#until > :now', values: { now: clock.now() } }
      const item = await table.take(at(hash), good)
      if (!item) return undefined
      const content = open(keys, item.key as string, item.sealed as Uint8Array, placeOf(item))
      return JSON.parse(content.toString()) as SignInStep
    },
  }
}

const placeOf = ({ pk, sk }: { pk: string; sk: string }) => `${pk} ${sk}`
