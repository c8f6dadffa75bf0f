import { expect, test } from 'vitest'
import { present } from '../present.ts'
import { account } from './samples.ts'
import { count, type NewWorld } from './world.ts'

/** Tests the port `Accounts`, except what `collectionContract` covers. */
export function accountsContract(newWorld: NewWorld) {
  test('finds an account by the normalized name', async () => {
    const { stores } = await newWorld()
    expect(await stores.accounts.any()).toBe(false)
    await stores.accounts.create(account('1', ' Ada '))
    expect(await stores.accounts.any()).toBe(true)
    expect(await stores.accounts.findByUsername('ada')).toMatchObject({
      id: '1',
      username: ' Ada ',
    })
    expect(await stores.accounts.findByUsername('bob')).toBeUndefined()
  })

  test('a hundred concurrent creations of one name: one succeeds', async () => {
    const { stores, peer } = await newWorld()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 ? stores : peer).accounts.create(
          account(`id-${index}`, index % 3 ? 'ada' : 'ADA'),
        ),
      ),
    )
    expect(count(answers, true)).toBe(1)
    expect(await stores.accounts.list()).toHaveLength(1)
    const holder = await peer.accounts.findByUsername('ada')
    expect(holder?.id).toBe(`id-${answers.indexOf(true)}`)
  })

  test('a creation with a taken ID does not reserve the name', async () => {
    const { stores } = await newWorld()
    await stores.accounts.create(account('1', 'ada'))
    expect(await stores.accounts.create(account('1', 'bob'))).toBe(false)
    expect(await stores.accounts.findByUsername('bob')).toBeUndefined()
    expect(await stores.accounts.create(account('2', 'bob'))).toBe(true)
  })

  test('a rename frees the old name', async () => {
    const { stores } = await newWorld()
    await stores.accounts.create(account('1', 'ada'))
    const read = present(await stores.accounts.find('1'))
    expect(await stores.accounts.replace({ ...read, username: 'grace' })).toBeDefined()
    expect(await stores.accounts.findByUsername('ada')).toBeUndefined()
    expect(await stores.accounts.findByUsername('grace')).toMatchObject({ id: '1' })
    expect(await stores.accounts.create(account('2', 'ada'))).toBe(true)
  })

  test('concurrent renames to the same name: one succeeds', async () => {
    const { stores, peer } = await newWorld()
    await stores.accounts.create(account('1', 'ada'))
    const read = present(await stores.accounts.find('1'))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? stores : peer).accounts.replace({ ...read, username: 'grace' }),
      ),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await stores.accounts.findByUsername('grace')).toMatchObject({ id: '1' })
    expect(await stores.accounts.create(account('2', 'grace'))).toBe(false)
    expect(await stores.accounts.create(account('2', 'ada'))).toBe(true)
  })

  test('a rename to a taken name writes nothing', async () => {
    const { stores } = await newWorld()
    await stores.accounts.create(account('1', 'ada'))
    await stores.accounts.create(account('2', 'bob'))
    const read = present(await stores.accounts.find('2'))
    expect(
      await stores.accounts.replace({ ...read, username: 'Ada', role: 'admin' }),
    ).toBeUndefined()
    expect(await stores.accounts.find('2')).toMatchObject({ username: 'bob', role: 'operator' })
  })

  test('a stale rename does not reserve the new name', async () => {
    const { stores } = await newWorld()
    await stores.accounts.create(account('1', 'ada'))
    const read = present(await stores.accounts.find('1'))
    await stores.accounts.replace({ ...read, disabled: true })
    expect(await stores.accounts.replace({ ...read, username: 'grace' })).toBeUndefined()
    expect(await stores.accounts.create(account('2', 'grace'))).toBe(true)
    expect(await stores.accounts.findByUsername('ada')).toMatchObject({ id: '1', disabled: true })
  })

  test('a removal frees the name', async () => {
    const { stores } = await newWorld()
    await stores.accounts.create(account('1', 'ada'))
    expect(await stores.accounts.remove('1')).toBe(true)
    expect(await stores.accounts.findByUsername('ada')).toBeUndefined()
    expect(await stores.accounts.create(account('2', 'ada'))).toBe(true)
  })

  test('a removal of an earlier version keeps the account and its name', async () => {
    const { stores, peer } = await newWorld()
    await stores.accounts.create(account('1', 'ada'))
    const read = present(await stores.accounts.find('1'))
    await peer.accounts.replace({ ...read, disabled: true })
    expect(await stores.accounts.remove('1', read.revision)).toBe(false)
    expect(await stores.accounts.findByUsername('ada')).toMatchObject({ id: '1' })
    expect(await peer.accounts.create(account('2', 'ada'))).toBe(false)
  })

  const identity = { issuer: 'https://login.example.org', subject: 's-1' }

  test('finds an account by issuer and subject', async () => {
    const { stores, peer } = await newWorld()
    await stores.accounts.create({ ...account('1', 'ada'), passwordHash: null, identity })
    await stores.accounts.create(account('2', 'bob'))
    expect(await peer.accounts.findByIdentity(identity)).toMatchObject({ id: '1', identity })
    const others = [
      { ...identity, subject: 's-2' },
      { ...identity, issuer: 'https://login.example.org/' },
      { issuer: 's-1', subject: 'https://login.example.org' },
      { issuer: '', subject: '' },
    ]
    for (const other of others) {
      expect(await stores.accounts.findByIdentity(other)).toBeUndefined()
    }
  })

  test('fifty concurrent creations for one identity: one succeeds', async () => {
    const { stores, peer } = await newWorld()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? stores : peer).accounts.create({
          ...account(`id-${index}`, `ada-${index}`),
          identity,
        }),
      ),
    )
    expect(count(answers, true)).toBe(1)
    expect((await stores.accounts.findByIdentity(identity))?.id).toBe(`id-${answers.indexOf(true)}`)
    expect(await stores.accounts.list()).toHaveLength(1)
  })

  test('a failed creation does not reserve the identity; a removal frees it', async () => {
    const { stores } = await newWorld()
    await stores.accounts.create(account('1', 'ada'))
    expect(await stores.accounts.create({ ...account('2', 'Ada'), identity })).toBe(false)
    expect(await stores.accounts.findByIdentity(identity)).toBeUndefined()
    expect(await stores.accounts.create({ ...account('3', 'bob'), identity })).toBe(true)
    const read = present(await stores.accounts.find('3'))
    expect(await stores.accounts.replace({ ...read, username: 'grace' })).toBeDefined()
    expect((await stores.accounts.findByIdentity(identity))?.username).toBe('grace')
    expect(await stores.accounts.remove('3')).toBe(true)
    expect(await stores.accounts.create({ ...account('4', 'eve'), identity })).toBe(true)
  })
}
