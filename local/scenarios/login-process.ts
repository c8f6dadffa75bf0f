import { storeClient } from '../../adapters/dynamo/client.ts'
import { dynamoStores } from '../../adapters/dynamo/stores.ts'
import { localHost } from '../../adapters/memory/hosts.ts'
import { memoryPorts } from '../../adapters/memory/stores.ts'
import { systemClock } from '../../adapters/node/clock.ts'
import { argonPasswords } from '../../adapters/node/passwords.ts'
import { systemRandom } from '../../adapters/node/random.ts'
import login from '../../functions/auth/login.ts'
import { call } from '../harness/call.ts'
import type { LoginOrder, LoginReport } from './login-order.ts'

/**
 * A child process that logs in many times concurrently when its parent sends an order, and reports
 * the results.
 */
process.once('message', async (order: LoginOrder) => {
  const client = storeClient(order.store)
  const report: LoginReport = { statuses: [], verified: 0 }
  const passwords = argonPasswords({ running: 1, waiting: 200 })
  const keys = { current: 'k1', keys: { k1: Buffer.from(order.key, 'base64') } }
  const options = { clock: systemClock, local: localHost, pinned: {}, keys }
  const { setup: _, ...stores } = dynamoStores(client, options)
  const ports = memoryPorts({
    ...stores,
    clock: systemClock,
    random: systemRandom,
    passwords: {
      ...passwords,
      verify(password: string, hash: string | undefined) {
        report.verified += 1
        return passwords.verify(password, hash)
      },
    },
  })
  const body = { username: order.username, password: order.password, totp_code: order.code }
  const attempts = Array.from({ length: order.times }, () => call(login, { body, ports }))
  report.statuses = (await Promise.all(attempts)).map(({ status }) => status)
  client.close()
  process.send?.(report, () => process.disconnect())
})
