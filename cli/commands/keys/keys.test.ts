import { expect, test } from 'vitest'
import { clientWorld } from '../../../local/harness/client.ts'

test('0: creates and lists a key and deletes the old one; 1: keeps the current one', async () => {
  await using world = await clientWorld()
  await world.login()
  expect((await world.cli('keys rotate')).out).toBe('key-2 is the current key now\n')
  const rows = (await world.cli('keys list')).out.trimEnd().split('\n')
  expect(rows[1]).toMatch(/^key-2 +current +file +\d{4}-/)
  expect(rows[2]).toMatch(/^key-1 +in use +file +-$/)
  expect((await world.cli('keys delete key-2 --yes')).code).toBe(1)
  expect((await world.cli('key delete key-1 --yes')).out).toBe('key-1 is deleted\n')
  expect((await world.cli('keys list')).out.trimEnd().split('\n')).toHaveLength(2)
})
