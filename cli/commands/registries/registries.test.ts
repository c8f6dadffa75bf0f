import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { clientWorld } from '../../../local/harness/client.ts'

test('0: stores credentials, lists them without the password, changes and deletes them', async () => {
  await using world = await clientWorld()
  await world.login()
  const words = 'registries create registry.example.org:5000 --username puller'
  const made = await world.cli(words, { stdin: 'a token\n' })
  expect(made.out).toBe('the credentials of registry.example.org:5000 are stored\n')
  const { out } = await world.cli('registry list')
  expect(out.split('\n')[1]).toMatch(/^registry\.example\.org:5000 +puller +\d{4}-/)
  expect(out).not.toContain('a token')
  const name = 'registries update registry.example.org:5000'
  const { password } = present(await world.ports.registries.find('registry.example.org:5000'))
  expect((await world.cli(`${name} --user writer`)).out).toMatch(/ are updated\n$/)
  expect((await world.cli(`${name} --username reader`)).out).toMatch(/ are updated\n$/)
  const both = await world.cli(`${name} --user writer --username reader`)
  expect([both.code, both.err]).toEqual([
    2,
    expect.stringContaining('--user and --username: use only one'),
  ])
  expect(await world.ports.registries.find('registry.example.org:5000')).toMatchObject({
    username: 'reader',
    password,
  })
  expect((await world.cli(`${name} --password`, { stdin: 'a newer token\n' })).code).toBe(0)
  expect(await world.ports.registries.find('registry.example.org:5000')).toMatchObject({
    username: 'reader',
    password: 'a newer token',
  })
  expect((await world.cli(name)).code).toBe(2)
  const gone = await world.cli('registries delete registry.example.org:5000 --yes')
  expect(gone.out).toBe('the credentials of registry.example.org:5000 are deleted\n')
  expect((await world.cli('registries create a.b')).code).toBe(2)
})
