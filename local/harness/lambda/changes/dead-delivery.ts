import { storeClient } from '../../../../adapters/dynamo/client.ts'
import { dynamoStore } from '../../../../adapters/dynamo/store.ts'
import { systemClock } from '../../../../adapters/node/process/clock.ts'
import { storedAlertDeliveries } from '../../../../adapters/store/alert-deliveries.ts'
import { present } from '../../../../adapters/testing/present.ts'
import { deliveryId } from '../../../../functions/core/alerts/delivery.ts'
import type { AlertEvent } from '../../../../functions/core/records/alert-event.ts'
import { testAddress } from '../../dynamo-table.ts'

/** Milliseconds. */
const ahead = 60_000

/**
 * Stores an alert delivery that was given up, in the table with this name. The service takes hours
 * for the eight attempts before that. Returns its id.
 */
export async function storeDeadDelivery(
  tableName: string,
  eventId: string,
  channelId: string,
): Promise<string> {
  // The service sends what is due. This is due later, so the service never claims it first.
  const clock = { ...systemClock, now: () => systemClock.now() + ahead }
  const store = dynamoStore(storeClient(testAddress(tableName)))
  const deliveries = storedAlertDeliveries(store.items, clock)
  const id = deliveryId(eventId, channelId)
  try {
    await deliveries.add({ ...event, id: eventId, at: clock.now() }, [channelId])
    const claimed = present(await deliveries.claim(id, ahead), `the delivery ${id}`)
    await deliveries.recordAttempt(claimed, { state: 'dead', error: 'responded with 500' })
  } finally {
    store.close()
  }
  return id
}

const event: Omit<AlertEvent, 'id' | 'at'> = {
  ruleId: 'busy',
  ruleName: 'Busy',
  metric: 'cpu_percent',
  operator: 'gt',
  subject: { kind: 'host', id: 'local', name: 'cellar', hostId: 'local', hostName: 'cellar' },
  state: 'firing',
  value: 99,
  threshold: 90,
  severity: 'warning',
}
