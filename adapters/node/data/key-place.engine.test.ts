import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testAddress, testClient } from '../../../local/harness/dynamo-table.ts'
import { present } from '../../../local/harness/present.ts'
import { dynamoStore } from '../../dynamo/store.ts'
import { installationRecord } from '../../store/installation.ts'
import type { Store } from '../../store/store.ts'
import { memoryLog } from '../../testing/memory/log.ts'
import { readConfig } from '../config/config.ts'
import { keyFiles } from '../keys/key-files.ts'
import { openKeyRing, readKeyRing } from '../keys/key-ring.ts'
import { openSigningKeys } from '../keys/signing-keys.ts'
import { systemClock } from '../process/clock.ts'
import { systemRandom } from '../process/random.ts'
import { claimInstallation } from './claim.ts'
import { keyFileNames } from './import-keys.ts'
import { openKeyStore } from './key-place.ts'

const newKey = () => randomBytes(32).toString('base64')

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'key-place-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

async function newStore(): Promise<Store> {
  const store = dynamoStore(testClient(testAddress()))
  await store.ensure()
  return store
}

/** Opens the keys as a start of the service does. */
async function start(store: Store, directory: string, secretKey?: string, log = memoryLog()) {
  const config = readConfig({ SERVICE_DATA_DIR: directory, SERVICE_SECRET_KEY: secretKey })
  const record = installationRecord(store.items)
  await claimInstallation(config, record, () => systemRandom.id())
  const keys = await openKeyStore(config, store, record, log)
  const ring = (name: 'secret-key' | 'audit-key', configured?: string) =>
    openKeyRing({ keys, name, configured })
  return {
    keys,
    secrets: await ring('secret-key', secretKey),
    audit: await ring('audit-key'),
    signing: await openSigningKeys(keys, systemClock),
  }
}

/** Returns a directory that a service with key files has used, with a key of each kind. */
async function directoryWithFiles(store: Store) {
  const directory = newDirectory()
  const { secrets, audit, signing } = await start(store, directory)
  await secrets.add()
  await audit.add()
  return { directory, secrets, audit, signing }
}

const textsIn = (directory: string) =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  )

test('processes that start at once on an empty store share every key', async () => {
  const store = await newStore()
  const key = newKey()
  const directories = Array.from({ length: 6 }, newDirectory)
  const started = await Promise.all(directories.map((directory) => start(store, directory, key)))
  const ids = started.map(async ({ secrets, audit, signing }) => ({
    secret: secrets.current,
    audit: audit.current,
    signing: (await signing.current()).id,
  }))
  expect(new Set((await Promise.all(ids)).map((one) => JSON.stringify(one))).size).toBe(1)
  const installations = directories.map((one) => readFileSync(join(one, 'installation'), 'utf8'))
  expect(new Set(installations).size).toBe(1)
  for (const directory of directories) expect(readdirSync(directory)).toEqual(['installation'])
})

test('a process that died before it claimed the store joins the one that did', async () => {
  const store = await newStore()
  const key = newKey()
  const { audit } = await start(store, newDirectory(), key)
  const directory = newDirectory()
  const begun = { id: '01a204dd-9ec2-737e-ad41-5bf707085ef4', stored: false }
  await keyFiles(directory).create('installation', JSON.stringify(begun))
  expect((await start(store, directory, key)).audit.current).toBe(audit.current)
  const { id } = JSON.parse(readFileSync(join(directory, 'installation'), 'utf8'))
  expect(id).toBe(await installationRecord(store.items).find())
})

test('of two outside keys at once on an empty store, one is refused', async () => {
  const store = await newStore()
  const keys = [newKey(), newKey()]
  const started = await Promise.allSettled(keys.map((key) => start(store, newDirectory(), key)))
  const winner = started.findIndex(({ status }) => status === 'fulfilled')
  const refused = present(started.find((one) => one.status === 'rejected'))
  expect(String(refused.reason)).toContain('SERVICE_SECRET_KEY is not the key that sealed the keys')
  const again = await start(store, newDirectory(), keys[winner])
  expect((await again.keys.find('audit-key'))?.text).toBeDefined()
})

test('refuses another outside key, and none, and changes nothing', async () => {
  const store = await newStore()
  await start(store, newDirectory(), newKey())
  const before = [await store.items.query('shared-keys'), await store.items.query('installation')]
  const directory = newDirectory()
  await expect(start(store, directory, newKey())).rejects.toThrow('Nothing was changed')
  await expect(start(store, directory)).rejects.toThrow('which is not set')
  expect(readdirSync(directory)).toEqual([])
  expect([await store.items.query('shared-keys'), await store.items.query('installation')]).toEqual(
    before,
  )
})

test('copies key files to the store once, and leaves them as they are', async () => {
  const store = await newStore()
  const { directory, secrets, audit, signing } = await directoryWithFiles(store)
  const files = textsIn(directory)
  const key = newKey()
  const log = memoryLog()
  const imported = await start(store, directory, key, log)
  expect(log.lines).toHaveLength(1)
  expect(textsIn(directory)).toEqual(files)
  expect(imported.audit.keys).toEqual(audit.keys)
  expect(imported.audit.current).toBe(audit.current)
  expect(imported.secrets.keys).toMatchObject(secrets.keys)
  expect(imported.secrets.current).not.toBe(secrets.current)
  expect((await imported.signing.current()).id).toBe((await signing.current()).id)
  expect((await imported.secrets.list()).map(({ source }) => source)).toEqual([
    'environment',
    'store',
    'store',
  ])
  const elsewhere = await start(store, newDirectory(), key)
  expect(elsewhere.audit.keys).toEqual(audit.keys)
  const later = memoryLog()
  await imported.signing.rotate()
  const again = await start(store, directory, key, later)
  expect(later.lines).toEqual([])
  expect((await again.signing.current()).id).toBe((await imported.signing.current()).id)
  await expect(start(store, directory)).rejects.toThrow('which is not set')
})

test('an interrupted import loses no key, creates none, and is finished later', async () => {
  for (let writes = 0; writes < 6; writes += 1) {
    const store = await newStore()
    const { directory, audit, secrets, signing } = await directoryWithFiles(store)
    const key = newKey()
    let left = writes
    const put: Store['items']['put'] = (...write) =>
      left-- > 0 ? store.items.put(...write) : Promise.reject(new Error('killed'))
    const dying = { ...store, items: { ...store.items, put } }
    await expect(start(dying, directory, key)).rejects.toThrow('killed')
    // A process without the files waits for the one that has them.
    const elsewhere = newDirectory()
    if (writes > 0)
      await expect(start(store, elsewhere, key)).rejects.toThrow('Start that process first')
    const finished = await start(store, directory, key)
    expect(finished.audit.keys).toEqual(audit.keys)
    expect(finished.secrets.keys).toMatchObject(secrets.keys)
    expect((await finished.signing.current()).id).toBe((await signing.current()).id)
    expect((await start(store, elsewhere, key)).audit.current).toBe(finished.audit.current)
  }
})

test('key files found later are copied, and never become the current key', async () => {
  const store = await newStore()
  const key = newKey()
  const { audit } = await start(store, newDirectory(), key)
  const directory = newDirectory()
  const other = await openKeyRing({ keys: keyFiles(directory), name: 'audit-key' })
  const later = await start(store, directory, key)
  expect(later.audit.current).toBe(audit.current)
  expect(Object.keys(later.audit.keys).sort()).toEqual([audit.current, other.current].sort())
})

test('a deleted key does not come back from its file', async () => {
  const store = await newStore()
  const { directory, secrets } = await directoryWithFiles(store)
  const key = newKey()
  const first = await start(store, directory, key)
  for (const id of Object.keys(secrets.keys)) await first.secrets.drop(id)
  expect(await keyFileNames(keyFiles(directory))).not.toContain('secret-key')
  const again = await start(store, directory, key)
  expect(Object.keys(again.secrets.keys)).toEqual([first.secrets.current])
  expect(await readKeyRing({ keys: again.keys, name: 'secret-key' })).toBeUndefined()
})
