import type { PasskeySet } from '../records/passkey.ts'
import type { Collection } from './collection.ts'

/** Sets of passkeys by id, encrypted at rest. Only the one that an account refers to is valid. */
export type Passkeys = Collection<PasskeySet>
