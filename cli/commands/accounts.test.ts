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

test('0: creates, updates, lists and deletes a role', async () => {
  const { world, done, rows } = await loggedIn()
  await using _ = world
  expect(await done('roles create deployer stacks:read stacks:deploy')).toBe(
    'deployer is created\n',
  )
  await done('role update deployer stacks:read')
  expect((await rows('roles list'))[2]).toMatch(/^deployer +custom +stacks:read$/)
  expect(await done('roles delete deployer --yes')).toBe('deployer is deleted\n')
  expect((await world.cli('roles delete deployer --yes')).code).toBe(1)
  expect((await world.cli('roles create other stacks:explode')).code).toBe(1)
})

test('0: lists and changes settings; 2: the value has another type', async () => {
  const { world, done, rows } = await loggedIn()
  await using _ = world
  const told = await done('settings set auth.lockout_max_attempts 3')
  expect(told).toBe('auth.lockout_max_attempts is 3\n')
  expect((await rows('settings list'))[1]).toMatch(/^auth.lockout_max_attempts +3$/)
  expect((await world.cli('settings set auth.lockout_max_attempts many')).code).toBe(2)
  expect(await done('settings set stacks.lists_filled true')).toBe('stacks.lists_filled is true\n')
  expect((await world.cli('settings set auth.nothing 3')).code).toBe(1)
  expect(await done('settings get auth.lockout_max_attempts')).toBe('3\n')
  expect((await rows('settings get'))[1]).toMatch(/^auth.lockout_max_attempts +3 +5 +-$/)
  expect((await world.cli('settings get auth.nothing')).code).toBe(2)
  expect(await done('settings unset auth.lockout_max_attempts')).toBe(
    'auth.lockout_max_attempts is 5 again\n',
  )
  expect((await world.cli('settings unset auth.nothing')).code).toBe(1)
})

test('0: updates, unlocks and deletes a user by name', async () => {
  const { world, done, rows } = await loggedIn()
  await using _ = world
  await done('users create olga --tag eu', 'correct horse battery\n')
  await done('users update OLGA --name olivia --role operator --every-host --disable')
  expect((await rows('users list'))[2]).toMatch(/^olivia +\S+ +operator +- +disabled/)
  await done('users update olivia --enable --scope-tag us --email o@example.org')
  expect((await rows('users list'))[2]).toMatch(/^olivia +\S+ +operator +us +active/)
  await done('users update olivia --password', 'some password\n')
  await done('users update olivia --secret', 'another password\n')
  const login = ['login', world.server, '--user', 'olivia']
  expect((await world.cli(login, { stdin: 'another password' })).code).toBe(0)
  await world.login()
  expect(await done('users unlock olivia')).toBe('olivia is unlocked\n')
  expect(await done('users delete olivia --yes')).toBe('olivia is deleted\n')
  expect((await world.cli('users delete olivia --yes')).err).toContain('there is no user "olivia"')
  expect((await world.cli('users update ada --disable --enable')).code).toBe(2)
  expect((await world.cli('users update ada --role viewer')).err).toContain('last admin')
})

test('0: renames and tags a host', async () => {
  const { world, done, rows } = await loggedIn()
  await using _ = world
  await done('hosts update local --name home --tag lab --tag eu')
  expect((await rows('hosts list'))[1]).toMatch(/^local +home +local +online +eu, lab /)
  await done('host update local --untagged')
  expect((await rows('hosts list'))[1]).toMatch(/^local +home +local +online +- /)
  expect((await world.cli('hosts update local --tag a --untagged')).code).toBe(2)
})

test.each([
  ['tokens create ci --scope-tag Lab', '--tag: must be 1 to 32 of a-z'],
  ['hosts update local --name all', '--name: must not be `all`'],
  ['hosts enrol local', '<name>: must not be `all`'],
  ['roles create other stacks:explode', '[...permissions]: must be "stacks:read"'],
  ['stacks status SHOP', '<name>: must be at most 63 lower-case letters'],
  ['users create olga --role Boss', '--role: must be 1 to 32 of a-z'],
  ['backups create a/b --system --to x', '<name>: must be at most 63 letters'],
  ['backups create j --system --to ../x', '--to: must not contain `..`'],
  ['backups create j --system --to x --schedule often', '--schedule: '],
])('1: %s names the flag or argument', async (words, said) => {
  await using world = await clientWorld()
  await world.login()
  const { code, err } = await world.cli(words, { stdin: 'correct horse battery\n' })
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`cli: ${said}`) })
})
