import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testAddress, testClient } from '../../../local/harness/dynamo-table.ts'
import { dynamoStore } from '../../dynamo/store.ts'
import { installationRecord } from '../../store/installation.ts'
import type { Store } from '../../store/store.ts'
import { storedPorts } from '../../store/stores.ts'
import { backupJob, backupRun } from '../../testing/contract/samples.ts'
import { present } from '../../testing/present.ts'
import { readConfig } from '../config/config.ts'
import { localHost } from '../hosts/local-host.ts'
import { keyFiles } from '../keys/key-files.ts'
import { openKeyRing } from '../keys/key-ring.ts'
import { systemClock } from '../process/clock.ts'
import { judgeKeys } from './judge-keys.ts'
import { keyStores } from './key-place.ts'
import { outsideKeys } from './outside-keys.ts'

let directory: string
const file = 'backup-identity.txt'
const at = (name: string) => join(directory, name)
const config = (env: Record<string, string> = {}) =>
  readConfig({ SERVICE_DATA_DIR: directory, ...env })
const filesOf = async (store: Store, env?: Record<string, string>) =>
  (await judgeKeys(config(env), store)).map(({ file }) => file)

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'container-stacks-keys-'))
  for (const name of ['signing-keys.json', 'agent-authority.pem', 'backup-identity.txt']) {
    writeFileSync(at(name), '')
  }
})

afterEach(() => rmSync(directory, { recursive: true }))

/** Returns a store with values encrypted with the directory's keys. */
async function newStore() {
  const store = dynamoStore(testClient(testAddress()))
  await store.ensure()
  const keys = await openKeyRing({ keys: keyFiles(directory), name: 'secret-key' })
  const options = { clock: systemClock, local: localHost(config()), pinned: {}, keys }
  return { store, keys, stores: storedPorts(store, options) }
}

test('reports a missing secret key that encrypted values need, even if others exist', async () => {
  const { store, stores } = await newStore()
  await stores.texts.put('services: {}')
  expect(await filesOf(store)).toEqual([])
  rmSync(at('secret-key'))
  expect(await filesOf(store)).toEqual(['secret-key'])
  const other = randomBytes(32).toString('hex')
  expect(await filesOf(store, { SERVICE_SECRET_KEY: other })).toEqual(['secret-key'])
})

test('accepts keys from the configuration', async () => {
  const { store, stores, keys } = await newStore()
  await stores.texts.put('services: {}')
  const known = Buffer.from(present(keys.keys[keys.current])).toString('hex')
  rmSync(at('secret-key'))
  expect(await filesOf(store, { SERVICE_SECRET_KEY: known })).toEqual([])
})

test('accepts an installation that continued with another key', async () => {
  const { store, stores } = await newStore()
  await stores.texts.put('services: {}')
  rmSync(at('secret-key'))
  const next = await openKeyRing({ keys: keyFiles(directory), name: 'secret-key' })
  expect(await filesOf(store)).toEqual(['secret-key'])
  await stores.sealed.recordOnlyKey(next.current)
  expect(await filesOf(store)).toEqual([])
})

/** Adds a host whose agent is pending. Returns a function that enrols it. */
async function givenHost({ hosts }: Awaited<ReturnType<typeof newStore>>['stores']) {
  const agent = { state: 'pending' as const, serial: null, nextSerial: null }
  const host = {
    id: 'h1',
    name: 'far',
    kind: 'agent' as const,
    tags: [],
    stacksDirectory: '/opt/stacks',
    agent: { ...agent, certificateExpiresAt: null },
  }
  await hosts.create(host)
  return async () => {
    const read = present(await hosts.find('h1'))
    await hosts.replace({ ...read, agent: { ...present(read.agent), state: 'enrolled' } })
  }
}

test('reports the authority of agents once one is enrolled', async () => {
  const { store, stores } = await newStore()
  rmSync(at('agent-authority.pem'))
  const enrol = await givenHost(stores)
  expect(await filesOf(store)).toEqual([])
  await enrol()
  expect(await filesOf(store)).toEqual(['agent-authority.pem'])
})

const inStore = { SERVICE_KEYS: 'store', SERVICE_SECRET_KEY: randomBytes(32).toString('hex') }

/** Returns the outside key, and the keys in the store that it seals. */
function sealed(store: Store) {
  const outside = present(outsideKeys(config(inStore)))
  return { outside, keys: keyStores(config(inStore), store)[0] }
}

test('a process without agents needs their certificate, not their authority', async () => {
  const { store, stores } = await newStore()
  await (await givenHost(stores))()
  rmSync(at('agent-authority.pem'))
  const api = { ...inStore, SERVICE_ROLE: 'api' }
  expect(await filesOf(store, api)).toEqual(['agent-authority.pem'])
  await sealed(store).keys.create('agent-authority.crt', 'certificate')
  expect(await filesOf(store, api)).toEqual([])
  expect(await filesOf(store, inStore)).toEqual(['agent-authority.pem'])
})

test('reports keys that were deleted from the store', async () => {
  const { store } = await newStore()
  const { keys, outside } = sealed(store)
  const record = installationRecord(store.items)
  await record.make('id', { outside, importing: true })
  for (const name of ['signing-keys.json', 'backup-identity.txt']) rmSync(at(name))
  const missing = ['backup-identity.txt', 'signing-keys.json']
  expect(await filesOf(store, inStore)).toEqual(missing)
  // Until all are there, one that is missing was not deleted.
  await record.endImport()
  expect(await filesOf(store, inStore)).toEqual([...missing, 'internal-secret'])
  for (const name of [...missing, 'internal-secret']) await keys.create(name, 'text')
  expect(await filesOf(store, inStore)).toEqual([])
})

test('reports the backup identity once a backup was encrypted for it', async () => {
  const { store, stores } = await newStore()
  rmSync(at('backup-identity.txt'))
  const run = { ...backupRun('r1', 'j1'), encrypted: true, sha256: null }
  await stores.backupRuns.create({ ...run, id: 'r0', encrypted: false, sha256: 'ab' })
  await stores.backupRuns.create(run)
  expect(await judgeKeys(config(), store)).toMatchObject([{ file, why: expect.any(String) }])
  expect((await judgeKeys(config(), store))[0]).not.toHaveProperty('remedy')
  await stores.backupRuns.save({ ...run, sha256: 'ab' })
  expect(await judgeKeys(config(), store)).toMatchObject([{ file, remedy: expect.any(String) }])
})

test('reports the backup identity of a job whose runs were deleted', async () => {
  const { store, stores } = await newStore()
  rmSync(at('backup-identity.txt'))
  const lastRun = { id: 'r1', startedAt: 1, finishedAt: 2, error: null }
  const job = { ...backupJob('j1', 'nightly'), encrypt: true }
  await stores.backupJobs.create({ ...job, lastRun: { ...lastRun, status: 'failed' } })
  expect((await judgeKeys(config(), store))[0]).not.toHaveProperty('remedy')
  const read = present(await stores.backupJobs.find('j1'))
  await stores.backupJobs.replace({ ...read, lastRun: { ...lastRun, status: 'succeeded' } })
  expect(await judgeKeys(config(), store)).toMatchObject([{ file, remedy: expect.any(String) }])
})
