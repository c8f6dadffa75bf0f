import { expect, test } from 'vitest'
import { clientWorld } from '../../../local/harness/client.ts'

test('0: a key is made with one command, listed, and the old one deleted; 1: the current one stays', async () => {
  await using world = await clientWorld()
  await world.login()
  expect((await world.cli('keys rotate')).out).toBe('key-2 is the current key now\n')
  const rows = (await world.cli('keys list')).out.trimEnd().split('\n')
  expect(rows[1]).toMatch(/^key-2 +current +file +\d{4}-/)
  expect(rows[2]).toMatch(/^key-1 +in use +file +-$/)
  expect((await world.cli('keys delete key-2')).code).toBe(1)
  expect((await world.cli('key delete key-1')).out).toBe('key-1 is deleted\n')
  expect((await world.cli('keys list')).out.trimEnd().split('\n')).toHaveLength(2)
})
