import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { ensureTable } from '../../adapters/dynamo/create-table.ts'
import { dynamoStores } from '../../adapters/dynamo/stores.ts'
import { localHost } from '../../adapters/memory/hosts.ts'
import { systemClock } from '../../adapters/node/clock.ts'
import { argonPasswords } from '../../adapters/node/passwords.ts'
import { newAccount } from '../../functions/core/access/user.ts'
import { testAddress, testClient } from '../harness/dynamo-table.ts'
import type { LoginOrder, LoginReport } from './login-order.ts'

/** A table with one account, and two processes that try to log in to it at the same time. */
async function tryFromTwoProcesses(password: string, timesEach: number) {
  const store = testAddress()
  const client = testClient(store)
  await ensureTable(client)
  const keys = { current: 'k1', keys: { k1: randomBytes(32) } }
  const options = { clock: systemClock, local: localHost, pinned: {}, keys }
  const { accounts } = dynamoStores(client, options)
  const passwordHash = await argonPasswords().hash('correct horse battery')
  const given = { id: 'anna', username: 'anna', role: 'viewer', passwordHash }
  await accounts.create(newAccount(given, systemClock.now()))
  const order = { store, username: 'Anna', password, times: timesEach }
  return Promise.all([tryInProcess(order), tryInProcess(order)])
}

async function tryInProcess(order: LoginOrder): Promise<LoginReport> {
  const script = fileURLToPath(new URL('./login-process.ts', import.meta.url))
  const child = fork(script, { execArgv: ['--import', 'tsx'] })
  onTestFinished(() => void child.kill())
  child.send(order)
  const [report] = (await once(child, 'message')) as [LoginReport]
  return report
}

const count = (reports: LoginReport[], status: number) =>
  reports.flatMap(({ statuses }) => statuses).filter((one) => one === status).length

test('a hundred wrong passwords at once over two processes must be verified five times at most', async () => {
  const reports = await tryFromTwoProcesses('a wrong password', 50)
  const verified = reports.reduce((sum, report) => sum + report.verified, 0)
  expect(verified).toBe(5)
  expect([count(reports, 401), count(reports, 423)]).toEqual([5, 95])
}, 60_000)

test('right logins at once over two processes must all pass', async () => {
  const reports = await tryFromTwoProcesses('correct horse battery', 6)
  expect(count(reports, 200)).toBe(12)
}, 60_000)
