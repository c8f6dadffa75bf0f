import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { ensureTable } from '../../adapters/dynamo/create-table.ts'
import { dynamoStore } from '../../adapters/dynamo/store.ts'
import { argonPasswords } from '../../adapters/node/keys/passwords.ts'
import { systemClock } from '../../adapters/node/process/clock.ts'
import { storedPorts } from '../../adapters/store/stores.ts'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import { newAccount } from '../../functions/core/access/user.ts'
import type { Account } from '../../functions/core/records/account.ts'
import { testAddress, testClient } from '../harness/dynamo-table.ts'
import { codeAt } from '../harness/second-factor.ts'
import type { LoginReport, LoginTask } from './login-task.ts'

const password = 'correct horse battery'

/**
 * Creates a table with one account. Returns the orders of two processes that log in to it
 * concurrently.
 */
async function accountAndTask(given: Partial<Account> = {}) {
  const store = testAddress()
  const client = testClient(store)
  await ensureTable(client)
  const key = randomBytes(32)
  const keys = { current: 'k1', keys: { k1: key } }
  const options = { clock: systemClock, local: localHost, pinned: {}, keys }
  const stores = storedPorts(dynamoStore(client), options)
  const passwordHash = await argonPasswords().hash(password)
  const account = { id: 'a1', username: 'anna', role: 'viewer', passwordHash, ...given }
  await stores.accounts.create(newAccount(account, systemClock.now()))
  return { stores, task: { store, key: key.toString('base64'), username: 'Anna' } }
}

async function tryFromTwoProcesses(presented: string, times: number) {
  const { task } = await accountAndTask()
  const each = { ...task, password: presented, times }
  return Promise.all([tryInProcess(each), tryInProcess(each)])
}

async function tryInProcess(task: LoginTask): Promise<LoginReport> {
  const script = fileURLToPath(new URL('./login-process.ts', import.meta.url))
  const child = fork(script, { execArgv: ['--import', 'tsx'] })
  onTestFinished(() => void child.kill())
  child.send(task)
  const [report] = (await once(child, 'message')) as [LoginReport]
  return report
}

const count = (reports: LoginReport[], status: number) =>
  reports.flatMap(({ statuses }) => statuses).filter((one) => one === status).length

test('verifies at most five of a hundred concurrent wrong passwords over two processes', async () => {
  const reports = await tryFromTwoProcesses('a wrong password', 50)
  const verified = reports.reduce((sum, report) => sum + report.verified, 0)
  expect(verified).toBe(5)
  expect([count(reports, 401), count(reports, 423)]).toEqual([5, 95])
})

test('concurrent correct logins over two processes all succeed', async () => {
  const reports = await tryFromTwoProcesses('correct horse battery', 6)
  expect(count(reports, 200)).toBe(12)
})

test('a code sent fifty times concurrently over two processes opens one session', async () => {
  const given = { mfaEnabled: true, secondFactorId: 'f1' }
  const { stores, task } = await accountAndTask(given)
  await stores.settings.save({ 'auth.lockout_max_attempts': 100 })
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const factor = { id: 'f1', accountId: 'a1', secret, lastStep: 0, recoveryHashes: [] }
  await stores.secondFactors.create({ ...factor, createdAt: 0 })
  const code = codeAt(secret, systemClock.now())
  const each = { ...task, password, code, times: 25 }
  const reports = await Promise.all([tryInProcess(each), tryInProcess(each)])
  expect([count(reports, 200), count(reports, 401)]).toEqual([1, 49])
  expect(await stores.sessions.listByAccount('a1')).toHaveLength(1)
})
