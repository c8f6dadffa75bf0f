import type { AlertChannels } from '../../functions/core/ports/alert-channels.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { AlertChannel } from '../../functions/core/records/alert-channel.ts'
import { namedCollection } from './named-collection.ts'
import type { SecretKeys } from './sealed.ts'
import { sealedCollection } from './sealed-collection.ts'
import type { Table } from './table.ts'

/**
 * Stores channels as an encrypted collection (`alert-channels`, id) with unique names
 * (`alert-channel-name#<lower case name>`).
 */
export function storedAlertChannels(table: Table, clock: Clock, keys: SecretKeys): AlertChannels {
  const records = sealedCollection<AlertChannel>(table, 'alert-channels', keys)
  const { findByName: _, ...channels } = namedCollection(
    table,
    clock,
    records,
    'alert-channel-name',
    channelName,
  )
  return channels
}

/** Returns the form of the channel's name that must be unique. */
export const channelName = ({ name }: AlertChannel) => name.toLowerCase()
