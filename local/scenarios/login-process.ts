import { storeClient } from '../../adapters/dynamo/client.ts'
import { dynamoStore } from '../../adapters/dynamo/store.ts'
import { argonPasswords } from '../../adapters/node/keys/passwords.ts'
import { systemClock } from '../../adapters/node/process/clock.ts'
import { systemRandom } from '../../adapters/node/process/random.ts'
import { storedPorts } from '../../adapters/store/stores.ts'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import login from '../../functions/auth/login.ts'
import { call } from '../harness/call.ts'
import type { LoginReport, LoginTask } from './login-task.ts'

/**
 * A child process that logs in many times concurrently when its parent sends a task, and reports
 * the results.
 */
process.once('message', async (task: LoginTask) => {
  const client = storeClient(task.store)
  const report: LoginReport = { statuses: [], verified: 0 }
  const passwords = argonPasswords({ running: 1, waiting: 200 })
  const keys = { current: 'k1', keys: { k1: Buffer.from(task.key, 'base64') } }
  const options = { clock: systemClock, local: localHost, pinned: {}, keys }
  const { setup: _, ...stores } = storedPorts(dynamoStore(client), options)
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
  const body = { username: task.username, password: task.password, totp_code: task.code }
  const attempts = Array.from({ length: task.times }, () => call(login, { body, ports }))
  report.statuses = (await Promise.all(attempts)).map(({ status }) => status)
  client.close()
  process.send?.(report, () => process.disconnect())
})
