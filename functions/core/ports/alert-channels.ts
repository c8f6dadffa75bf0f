import type { AlertChannel } from '../records/alert-channel.ts'
import type { Collection } from './collection.ts'

/**
 * The channels, encrypted at rest. Names are unique: `create` and `replace` fail for a name that is
 * taken.
 */
export type AlertChannels = Collection<AlertChannel>
