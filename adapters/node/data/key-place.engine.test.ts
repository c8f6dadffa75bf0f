import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testAddress, testClient } from '../../../local/harness/dynamo-table.ts'
import { dynamoStore } from '../../dynamo/store.ts'
import { installationRecord } from '../../store/installation.ts'
import { sealedItems } from '../../store/sealed-items.ts'
import type { Store } from '../../store/store.ts'
import { memoryLog } from '../../testing/memory/log.ts'
import { present } from '../../testing/present.ts'
import { readConfig } from '../config/config.ts'
import { keyFiles } from '../keys/key-files.ts'
import { openKeyRing, readKeyRing } from '../keys/key-ring.ts'
import { openSigningKeys } from '../keys/signing-keys.ts'
import { systemClock } from '../process/clock.ts'
import { systemRandom } from '../process/random.ts'
import { claimInstallation } from './claim.ts'
import { keyFileNames } from './import-keys.ts'
import { openKeyStore } from './key-place.ts'
import { moveToFirst } from './move-seal.ts'
import { outsideKeys } from './outside-keys.ts'

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

/** Opens the keys as a start of the service does; with a key, those in the store. */
async function start(store: Store, directory: string, secretKey?: string, log = memoryLog()) {
  const config = readConfig({
    SERVICE_DATA_DIR: directory,
    SERVICE_SECRET_KEY: secretKey,
    SERVICE_KEYS: secretKey && 'store',
  })
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

test('a process shares a store that another one claims while it decides', async () => {
  const store = await newStore()
  const record = installationRecord(store.items)
  const configOf = (SERVICE_DATA_DIR: string) =>
    readConfig({ SERVICE_DATA_DIR, SERVICE_SECRET_KEY: key, SERVICE_KEYS: 'store' })
  const key = newKey()
  const claim = (own: typeof record) =>
    claimInstallation(configOf(newDirectory()), own, () => systemRandom.id())
  const first = { isDone: false }
  const overtaken = {
    ...record,
    async find() {
      if (!first.isDone) await claim(record)
      first.isDone = true
      return record.find()
    },
  }
  await expect(claim(overtaken)).resolves.toBeUndefined()
})

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
  await expect(start(store, directory)).rejects.toThrow('Set SERVICE_KEYS=store')
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
  await expect(start(store, directory)).rejects.toThrow('Set SERVICE_KEYS=store')
})

test('SERVICE_SECRET_KEY alone leaves the keys in files', async () => {
  const store = await newStore()
  const { directory, audit } = await directoryWithFiles(store)
  const config = readConfig({ SERVICE_DATA_DIR: directory, SERVICE_SECRET_KEY: newKey() })
  const record = installationRecord(store.items)
  await claimInstallation(config, record, () => systemRandom.id())
  const keys = await openKeyStore(config, store, record, memoryLog())
  expect(keys.kind).toBe('file')
  expect((await openKeyRing({ keys, name: 'audit-key' })).current).toBe(audit.current)
  expect(await store.items.query('shared-keys')).toEqual([])
  expect(await record.keySeal(undefined)).toBeUndefined()
})

test('a process without the key files does not claim an installation that has them', async () => {
  const store = await newStore()
  const { directory } = await directoryWithFiles(store)
  const key = newKey()
  const elsewhere = newDirectory()
  await expect(start(store, elsewhere, key)).rejects.toThrow(
    'Start the process that has the key files',
  )
  expect(await installationRecord(store.items).keySeal(undefined)).toBeUndefined()
  await start(store, directory, key)
  expect((await start(store, elsewhere, key)).keys.kind).toBe('store')
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

test('a deleted key does not come back from a copy of its file on another machine', async () => {
  const store = await newStore()
  const { directory, secrets } = await directoryWithFiles(store)
  const copy = newDirectory()
  cpSync(directory, copy, { recursive: true })
  const key = newKey()
  const first = await start(store, directory, key)
  for (const id of Object.keys(secrets.keys)) await first.secrets.drop(id)
  const other = await start(store, copy, key)
  expect(Object.keys(other.secrets.keys)).toEqual([first.secrets.current])
})

test('a key that is missing in the store is copied from its file again', async () => {
  const store = await newStore()
  const { directory, audit } = await directoryWithFiles(store)
  const key = newKey()
  await start(store, directory, key)
  for (const { pk, sk } of await store.items.query('shared-keys'))
    if (sk.startsWith('audit-key')) await store.items.remove({ pk, sk })
  expect((await start(store, directory, key)).audit.keys).toEqual(audit.keys)
})

test('refuses to copy key files that differ from those of another data directory', async () => {
  for (const name of ['backup-identity.txt', 'internal-secret']) {
    const store = await newStore()
    const { directory } = await directoryWithFiles(store)
    const files = keyFiles(directory)
    await files.create(name, 'ours')
    const key = newKey()
    const dies: Store['items']['update'] = () => Promise.reject(new Error('killed'))
    const dying = { ...store, items: { ...store.items, update: dies } }
    await expect(start(dying, directory, key)).rejects.toThrow('killed')
    const elsewhere = newDirectory()
    cpSync(directory, elsewhere, { recursive: true })
    await keyFiles(elsewhere).remove(name)
    await keyFiles(elsewhere).create(name, 'theirs')
    await expect(start(store, elsewhere, key)).rejects.toThrow(`${join(elsewhere, name)}: another`)
    const { keys } = await start(store, directory, key)
    expect((await keys.find(name))?.text).toBe((await files.find(name))?.text)
    expect(await keys.list('audit-keys')).toHaveLength(1)
  }
})

test('an interrupted import is finished with signing keys from an older backup', async () => {
  const store = await newStore()
  const { directory } = await directoryWithFiles(store)
  const key = newKey()
  const dies: Store['items']['update'] = () => Promise.reject(new Error('killed'))
  const dying = { ...store, items: { ...store.items, update: dies } }
  await expect(start(dying, directory, key)).rejects.toThrow('killed')
  const signing = await openSigningKeys(keyFiles(directory), systemClock)
  await signing.rotate()
  const { keys } = await start(store, directory, key)
  expect((await installationRecord(store.items).keySeal(undefined))?.importing).toBe(false)
  expect((await keys.find('signing-keys.json'))?.text).toBeDefined()
})

test('warns of key files that differ after the import', async () => {
  const store = await newStore()
  const { directory } = await directoryWithFiles(store)
  const key = newKey()
  await keyFiles(directory).create('backup-identity.txt', 'ours')
  await start(store, directory, key)
  const elsewhere = newDirectory()
  await keyFiles(elsewhere).create('backup-identity.txt', 'theirs')
  const log = memoryLog()
  const { keys } = await start(store, elsewhere, key, log)
  expect(log.lines).toMatchObject([
    { level: 'warn', fields: { paths: join(elsewhere, 'backup-identity.txt') } },
  ])
  expect((await keys.find('backup-identity.txt'))?.text).toBe('ours')
})

/** Returns the values under each outside key after a process has re-encrypted what it may. */
async function reencrypted(store: Store, { secrets }: Awaited<ReturnType<typeof start>>) {
  await secrets.list()
  const items = sealedItems(store.items, secrets, systemClock)
  await items.reencrypt(new AbortController().signal)
  return items.count()
}

test('processes with the outside keys in a different order use the same one', async () => {
  const store = await newStore()
  const [older, newer] = [newKey(), newKey()]
  const first = await start(store, newDirectory(), `${older},${newer}`)
  const former = first.secrets.current
  const second = await start(store, newDirectory(), `${newer},${older}`)
  const { current } = second.secrets
  expect(current).not.toBe(former)
  const total = Object.values(await reencrypted(store, second)).reduce((a, b) => a + b)
  // The first process goes on with its order, and follows.
  expect(await reencrypted(store, first)).toEqual({ [current]: total })
  expect(first.secrets.current).toBe(current)
  await first.keys.create('audit-keys/000000000000001-0000000000000001', newKey())
  expect(await sealedItems(store.items, second.secrets, systemClock).count()).toEqual({
    [current]: total + 1,
  })
})

test('a process that waits during a rotation does not move the seal from a key that it lacks', async () => {
  const store = await newStore()
  const [old, one, other] = [newKey(), newKey(), newKey()]
  await start(store, newDirectory(), old)
  const record = installationRecord(store.items)
  let isMoved = false
  const paused = {
    ...record,
    async keySeal(outside: Parameters<typeof record.keySeal>[0]) {
      const seal = await record.keySeal(outside)
      if (!isMoved) {
        isMoved = true
        await start(store, newDirectory(), `${one},${old}`)
      }
      return seal
    },
  }
  const ring = present(outsideKeys({ keyPlace: 'store', secretKey: `${other},${old}` }))
  await expect(moveToFirst(ring, paused)).rejects.toThrow('they need the key')
  const seal = present(await record.keySeal(ring))
  expect(seal.retired).not.toContain(seal.key)
  expect((await start(store, newDirectory(), `${one},${old}`)).audit.current).toBeDefined()
})

test('a replaced outside key is never used again', async () => {
  const store = await newStore()
  const [older, newer] = [newKey(), newKey()]
  const directory = newDirectory()
  const first = await start(store, directory, older)
  const second = await start(store, directory, `${newer},${older}`)
  const log = memoryLog()
  const back = await start(store, directory, `${older},${newer}`, log)
  expect(back.secrets.current).toBe(second.secrets.current)
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { key: first.secrets.current } }])
  await expect(start(store, directory, older)).rejects.toThrow('cannot be used again')
  const third = await start(store, directory, `${newKey()},${newer},${older}`)
  expect(await installationRecord(store.items).keySeal(undefined)).toMatchObject({
    key: third.secrets.current,
    retired: [first.secrets.current, second.secrets.current],
  })
})

test('values are checked again after a start with several outside keys', async () => {
  const store = await newStore()
  const [older, newer] = [newKey(), newKey()]
  const first = await start(store, newDirectory(), `${older},${newer}`)
  const items = sealedItems(store.items, first.secrets, systemClock)
  await items.recordOnlyKey(first.secrets.current)
  await start(store, newDirectory(), `${newer},${older}`)
  expect(await items.onlyKey()).toBeUndefined()
})
