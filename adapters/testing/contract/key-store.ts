import { expect, test } from 'vitest'
import { findOrCreate, type KeyStore } from '../../../functions/core/ports/key-store.ts'

/** Two processes that share a key store. */
export interface KeyStoreWorld {
  one: KeyStore
  other: KeyStore
}

/** Tests the port `KeyStore`. */
export function keyStoreContract(newWorld: () => Promise<KeyStoreWorld>) {
  test('a key that does not exist is undefined, and its directory is empty', async () => {
    const { one } = await newWorld()
    expect(await one.find('audit-key')).toBeUndefined()
    expect(await one.list('audit-keys')).toEqual([])
    await one.remove('audit-key')
  })

  test('the first process to create a key wins, and the others get its key', async () => {
    const { one, other } = await newWorld()
    await one.create('audit-key', 'first')
    await other.create('audit-key', 'second')
    expect((await one.find('audit-key'))?.text).toBe('first')
    expect((await findOrCreate(other, 'audit-key', () => 'third')).text).toBe('first')
  })

  test('fifty concurrent creations end with one key', async () => {
    const { one, other } = await newWorld()
    const kept = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        findOrCreate(index % 2 ? one : other, 'signing-keys.json', () => `key ${index}`),
      ),
    )
    expect(new Set(kept.map(({ text }) => text)).size).toBe(1)
    expect(await one.find('signing-keys.json')).toEqual(kept[0])
  })

  test('lists the names in a directory in order, and no others', async () => {
    const { one, other } = await newWorld()
    for (const name of ['audit-keys/2', 'audit-keys/1', 'audit-key', 'secret-keys/3'])
      await one.create(name, name)
    expect(await other.list('audit-keys')).toEqual(['audit-keys/1', 'audit-keys/2'])
  })

  test('replaces the version that was read, and not a later one', async () => {
    const { one, other } = await newWorld()
    const first = await findOrCreate(one, 'signing-keys.json', () => 'first')
    expect(await other.replace('signing-keys.json', 'second', first.version)).toBe(true)
    expect(await one.replace('signing-keys.json', 'third', first.version)).toBe(false)
    const second = await one.find('signing-keys.json')
    expect(second?.text).toBe('second')
    expect(second?.version).not.toBe(first.version)
    await one.remove('signing-keys.json')
    expect(await one.replace('signing-keys.json', 'fourth', String(second?.version))).toBe(false)
    expect(await other.find('signing-keys.json')).toBeUndefined()
  })

  test('a removed key can be created again', async () => {
    const { one, other } = await newWorld()
    await one.create('setup-secret', 'first')
    await other.remove('setup-secret')
    expect(await one.find('setup-secret')).toBeUndefined()
    await one.create('setup-secret', 'second')
    expect((await other.find('setup-secret'))?.text).toBe('second')
  })
}
