import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testAddress, testClient } from '../../../local/harness/dynamo-table.ts'
import { backupJob, backupRun } from '../../contract/samples.ts'
import type { StoreClient } from '../../dynamo/client.ts'
import { ensureTable } from '../../dynamo/create-table.ts'
import { dynamoStores } from '../../dynamo/stores.ts'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { openKeyRing } from '../key-ring.ts'
import { localHost } from '../local-host.ts'
import { judgeKeys } from './judge-keys.ts'

let directory: string
const at = (name: string) => join(directory, name)
const config = (env: Record<string, string> = {}) =>
  readConfig({ SERVICE_DATA_DIR: directory, ...env })
const filesOf = async (client: StoreClient, env?: Record<string, string>) =>
  (await judgeKeys(config(env), client)).map(({ file }) => file)

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'container-stacks-keys-'))
  for (const name of ['signing-keys.json', 'agent-authority.pem', 'backup-identity.txt']) {
    writeFileSync(at(name), '')
  }
})

afterEach(() => rmSync(directory, { recursive: true }))

/** Returns a store with values encrypted with the directory's keys. */
async function newStore() {
  const client = testClient(testAddress())
  await ensureTable(client)
  const keys = await openKeyRing({ dataDirectory: directory, name: 'secret-key' })
  const options = { clock: systemClock, local: localHost(config()), pinned: {}, keys }
  return { client, keys, stores: dynamoStores(client, options) }
}

test('reports a secret key that encrypted values need, also when others are there', async () => {
  const { client, stores } = await newStore()
  await stores.texts.put('services: {}')
  expect(await filesOf(client)).toEqual([])
  rmSync(at('secret-key'))
  expect(await filesOf(client)).toEqual(['secret-key'])
  const other = randomBytes(32).toString('hex')
  expect(await filesOf(client, { SERVICE_SECRET_KEY: other })).toEqual(['secret-key'])
})

test('takes keys of the configuration for keys that are here', async () => {
  const { client, stores, keys } = await newStore()
  await stores.texts.put('services: {}')
  const known = Buffer.from(keys.keys[keys.current]!).toString('hex')
  rmSync(at('secret-key'))
  expect(await filesOf(client, { SERVICE_SECRET_KEY: known })).toEqual([])
})

test('leaves an installation alone that has gone on with another key', async () => {
  const { client, stores } = await newStore()
  await stores.texts.put('services: {}')
  rmSync(at('secret-key'))
  const next = await openKeyRing({ dataDirectory: directory, name: 'secret-key' })
  expect(await filesOf(client)).toEqual(['secret-key'])
  await stores.sealed.settle(next.current)
  expect(await filesOf(client)).toEqual([])
})

test('reports the authority of agents once one is enrolled', async () => {
  const { client, stores } = await newStore()
  rmSync(at('agent-authority.pem'))
  const agent = { state: 'pending' as const, serial: null, nextSerial: null }
  const host = {
    ...{ id: 'h1', name: 'far', kind: 'agent' as const, tags: [], stacksDirectory: '/opt/stacks' },
    agent: { ...agent, certificateExpiresAt: null },
  }
  await stores.hosts.create(host)
  expect(await filesOf(client)).toEqual([])
  const read = (await stores.hosts.find('h1'))!
  await stores.hosts.replace({ ...read, agent: { ...read.agent!, state: 'enrolled' } })
  expect(await filesOf(client)).toEqual(['agent-authority.pem'])
})

test('reports the backup identity once a backup was encrypted for it', async () => {
  const { client, stores } = await newStore()
  rmSync(at('backup-identity.txt'))
  const run = { ...backupRun('r1', 'j1'), encrypted: true, sha256: null }
  await stores.backupRuns.create({ ...run, id: 'r0', encrypted: false, sha256: 'ab' })
  await stores.backupRuns.create(run)
  expect(await filesOf(client)).toEqual([])
  await stores.backupRuns.save({ ...run, sha256: 'ab' })
  expect(await filesOf(client)).toEqual(['backup-identity.txt'])
})

test('reports the backup identity for a job whose runs are gone', async () => {
  const { client, stores } = await newStore()
  rmSync(at('backup-identity.txt'))
  const lastRun = { id: 'r1', startedAt: 1, finishedAt: 2, error: null }
  const job = { ...backupJob('j1', 'nightly'), encrypt: true }
  await stores.backupJobs.create({ ...job, lastRun: { ...lastRun, status: 'failed' } })
  expect(await filesOf(client)).toEqual([])
  const read = (await stores.backupJobs.find('j1'))!
  await stores.backupJobs.replace({ ...read, lastRun: { ...lastRun, status: 'succeeded' } })
  expect(await filesOf(client)).toEqual(['backup-identity.txt'])
})
