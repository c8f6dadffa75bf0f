import type { AlertChannel } from '../../functions/core/alerts/channel.ts'
import type { AlertChannels } from '../../functions/core/alerts/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { namedCollection } from './named-collection.ts'
import type { SecretKeys } from './sealed.ts'
import { sealedCollection } from './sealed-collection.ts'
import type { Table } from './table.ts'

/** Channels are a collection of secrets (`alert-channels`, id), their names unique (`alert-channel-name#<in small letters>`). */
export function dynamoAlertChannels(table: Table, clock: Clock, keys: SecretKeys): AlertChannels {
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

/** Returns the name of a channel as it must be unique. */
export const channelName = ({ name }: AlertChannel) => name.toLowerCase()
