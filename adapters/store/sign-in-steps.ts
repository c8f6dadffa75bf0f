import type { Clock } from '../../functions/core/ports/clock.ts'
import type { SignInSteps } from '../../functions/core/ports/sign-in-steps.ts'
import type { AnsweredSignIn, AskedSignIn } from '../../functions/core/records/identity-provider.ts'
import { newRevision, ttlAt } from './item.ts'
import { open, type SecretKeys, seal } from './sealed.ts'
import { absent, type Table } from './table.ts'

/**
 * Stores a confirmed sign-in as one encrypted item under its hash (`sign-in#<hash>`), which its use
 * deletes. If the response to that delete is lost, the retry finds nothing: the sign-in is then
 * lost, but never used twice. One that was only begun is not stored until it is used, and then only
 * as an empty item (`sign-in#<hash>`, `used`).
 */
export function storedSignInSteps(table: Table, clock: Clock, keys: SecretKeys): SignInSteps {
  const at = (hash: string) => ({ pk: `sign-in#${hash}`, sk: '-' })
  const usedAt = (hash: string) => ({ pk: `sign-in#${hash}`, sk: 'used' })
  return {
    seal(asked) {
      const key = keys.current
      const sealed = seal(keys, key, Buffer.from(JSON.stringify(asked)), stateAddress)
      return `css_${key}.${sealed.toString('base64url')}`
    },
    open(text) {
      const [, key = '', encoded = ''] = stateForm.exec(text) ?? []
      const sealed = Buffer.from(encoded, 'base64url')
      // Other texts have the same bytes. Only one counts, so that a state is used once.
      if (encoded === '' || sealed.toString('base64url') !== encoded) return undefined
      return tryOpen(keys, key, sealed)
    },
    claim: (hash, until) =>
      table.put({ ...usedAt(hash), rev: newRevision(), until, ttl: ttlAt(until) }, absent),
    async release(hash) {
      await table.remove(usedAt(hash))
    },
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
      return JSON.parse(content.toString()) as AnsweredSignIn
    },
  }
}

/** `css_`, the id of a key, a dot, and what `seal` returns in base64url. */
const stateForm = /^css_([^.]+)\.([A-Za-z0-9_-]+)$/

/** What sealed states are bound to: no item has this address. */
const stateAddress = 'sign-in state'

function tryOpen(keys: SecretKeys, key: string, sealed: Uint8Array): AskedSignIn | undefined {
  try {
    return JSON.parse(open(keys, key, sealed, stateAddress).toString())
  } catch {
    return undefined
  }
}

const placeOf = ({ pk, sk }: { pk: string; sk: string }) => `${pk} ${sk}`
