import { expect, test } from 'vitest'
import { account } from './samples.ts'
import { count, type NewWorld } from './world.ts'

/** Tests the port `Accounts`, except what `collectionContract` covers. */
export function accountsContract(newWorld: NewWorld) {
  test('an account is found by the normal form of its name', async () => {
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

  test('of a hundred who take a name at once, one gets it', async () => {
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

  test('an id that is taken leaves the name free', async () => {
    const { stores } = await newWorld()
    await stores.accounts.create(account('1', 'ada'))
    expect(await stores.accounts.create(account('1', 'bob'))).toBe(false)
    expect(await stores.accounts.findByUsername('bob')).toBeUndefined()
    expect(await stores.accounts.create(account('2', 'bob'))).toBe(true)
  })

  test('a new name frees the old one', async () => {
    const { stores } = await newWorld()
    await stores.accounts.create(account('1', 'ada'))
    const read = (await stores.accounts.find('1'))!
    expect(await stores.accounts.replace({ ...read, username: 'grace' })).toBeDefined()
    expect(await stores.accounts.findByUsername('ada')).toBeUndefined()
    expect(await stores.accounts.findByUsername('grace')).toMatchObject({ id: '1' })
    expect(await stores.accounts.create(account('2', 'ada'))).toBe(true)
  })

  test('of many who give an account the same new name at once, one does', async () => {
    const { stores, peer } = await newWorld()
    await stores.accounts.create(account('1', 'ada'))
    const read = (await stores.accounts.find('1'))!
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

  test('a name that is taken is not given to another, and nothing is written', async () => {
    const { stores } = await newWorld()
    await stores.accounts.create(account('1', 'ada'))
    await stores.accounts.create(account('2', 'bob'))
    const read = (await stores.accounts.find('2'))!
    expect(
      await stores.accounts.replace({ ...read, username: 'Ada', role: 'admin' }),
    ).toBeUndefined()
    expect(await stores.accounts.find('2')).toMatchObject({ username: 'bob', role: 'operator' })
  })

  test('a stale replace with a new name leaves that name free', async () => {
    const { stores } = await newWorld()
    await stores.accounts.create(account('1', 'ada'))
    const read = (await stores.accounts.find('1'))!
    await stores.accounts.replace({ ...read, disabled: true })
    expect(await stores.accounts.replace({ ...read, username: 'grace' })).toBeUndefined()
    expect(await stores.accounts.create(account('2', 'grace'))).toBe(true)
    expect(await stores.accounts.findByUsername('ada')).toMatchObject({ id: '1', disabled: true })
  })

  test('the name of a removed account is free', async () => {
    const { stores } = await newWorld()
    await stores.accounts.create(account('1', 'ada'))
    expect(await stores.accounts.remove('1')).toBe(true)
    expect(await stores.accounts.findByUsername('ada')).toBeUndefined()
    expect(await stores.accounts.create(account('2', 'ada'))).toBe(true)
  })

  const identity = { issuer: 'https://login.example.org', subject: 's-1' }

  test('an account is found by issuer and subject together', async () => {
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

  test('of fifty accounts made for one identity at once, one is', async () => {
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

  test('a name that is taken leaves the identity free, a removed account its own', async () => {
    const { stores } = await newWorld()
    await stores.accounts.create(account('1', 'ada'))
    expect(await stores.accounts.create({ ...account('2', 'Ada'), identity })).toBe(false)
    expect(await stores.accounts.findByIdentity(identity)).toBeUndefined()
    expect(await stores.accounts.create({ ...account('3', 'bob'), identity })).toBe(true)
    const read = (await stores.accounts.find('3'))!
    expect(await stores.accounts.replace({ ...read, username: 'grace' })).toBeDefined()
    expect((await stores.accounts.findByIdentity(identity))?.username).toBe('grace')
    expect(await stores.accounts.remove('3')).toBe(true)
    expect(await stores.accounts.create({ ...account('4', 'eve'), identity })).toBe(true)
  })
}
