import { expect, test } from 'vitest'
import { clientWorld } from '../../local/harness/client.ts'

async function loggedIn() {
  const world = await clientWorld()
  await world.login()
  const done = async (words: string, stdin?: string) => {
    const { code, out, err } = await world.cli(words, { stdin })
    expect({ words, code, err }).toEqual({ words, code: 0, err: '' })
    return out
  }
  return { world, done, rows: async (words: string) => (await done(words)).trimEnd().split('\n') }
}

test('0: a role is made, changed, listed and deleted', async () => {
  const { world, done, rows } = await loggedIn()
  await using _ = world
  expect(await done('roles create deployer stacks:read stacks:deploy')).toBe(
    'deployer is created\n',
  )
  await done('role update deployer stacks:read')
  expect((await rows('roles list'))[2]).toMatch(/^deployer +custom +stacks:read$/)
  expect(await done('roles delete deployer')).toBe('deployer is deleted\n')
  expect((await world.cli('roles delete deployer')).code).toBe(1)
  expect((await world.cli('roles create other stacks:explode')).code).toBe(1)
})

test('0: settings are listed and changed; 2: a value that is no number', async () => {
  const { world, done, rows } = await loggedIn()
  await using _ = world
  const told = await done('settings set auth.lockout_max_attempts 3')
  expect(told).toBe('auth.lockout_max_attempts is 3\n')
  expect((await rows('settings list'))[1]).toMatch(/^auth.lockout_max_attempts +3$/)
  expect((await world.cli('settings set auth.lockout_max_attempts many')).code).toBe(2)
  expect((await world.cli('settings set auth.nothing 3')).code).toBe(1)
})

test('0: a user is changed, unlocked and deleted, by name', async () => {
  const { world, done, rows } = await loggedIn()
  await using _ = world
  await done('users create olga --scope-tag eu', 'correct horse battery\n')
  await done('users update OLGA --name olivia --role operator --every-host --disable')
  expect((await rows('users list'))[2]).toMatch(/^olivia +\S+ +operator +- +disabled/)
  await done('users update olivia --enable --scope-tag us --email o@example.org')
  expect((await rows('users list'))[2]).toMatch(/^olivia +\S+ +operator +us +active/)
  await done('users update olivia --password', 'another password\n')
  const login = ['login', world.server, '--user', 'olivia']
  expect((await world.cli(login, { stdin: 'another password' })).code).toBe(0)
  await world.login()
  expect(await done('users unlock olivia')).toBe('olivia is unlocked\n')
  expect(await done('users delete olivia --yes')).toBe('olivia is deleted\n')
  expect((await world.cli('users delete olivia --yes')).err).toContain('there is no user olivia')
  expect((await world.cli('users update ada --disable --enable')).code).toBe(2)
  expect((await world.cli('users update ada --role viewer')).err).toContain('last admin')
})

test('0: a host gets a name and tags', async () => {
  const { world, done, rows } = await loggedIn()
  await using _ = world
  await done('hosts update local --name home --tag lab --tag eu')
  expect((await rows('hosts list'))[1]).toMatch(/^local +home +local +online +eu, lab /)
  await done('host update local --untagged')
  expect((await rows('hosts list'))[1]).toMatch(/^local +home +local +online +- /)
  expect((await world.cli('hosts update local --tag a --untagged')).code).toBe(2)
})
