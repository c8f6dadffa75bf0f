import { expect, test } from 'vitest'
import { clientWorld } from '../../../local/harness/client.ts'
import { givenPasskey } from '../../../local/harness/passkeys.ts'

/** Returns a logged-in client whose user has a passkey. */
async function withPasskey() {
  const world = await clientWorld()
  await world.login()
  const { passkey } = await givenPasskey(world.ports, { username: 'ada' }, 'work laptop')
  return { world, passkey }
}

test('0: lists passkeys with their last use', async () => {
  const { world, passkey } = await withPasskey()
  await using _ = world
  const { code, out } = await world.cli('mfa passkeys')
  const [head, row, ...more] = out.trimEnd().split('\n')
  expect([code, more]).toEqual([0, []])
  expect(head).toMatch(/^NAME +LAST USED +CREATED +ID$/)
  expect(row).toMatch(new RegExp(`^work laptop +- +2026-.* +${passkey.id}$`))
  const json = JSON.parse((await world.cli('mfa passkeys --output json')).out)
  expect(json).toMatchObject([{ name: 'work laptop', last_used_at: null }])
})

test('0: deletes a passkey by its name or id; 1: there is none', async () => {
  const { world, passkey } = await withPasskey()
  await using _ = world
  const removed = await world.cli(['mfa', 'delete-passkey', 'work laptop', '--yes'])
  expect(removed).toMatchObject({ code: 0, out: 'work laptop is deleted\n' })
  for (const one of ['work laptop', passkey.id]) {
    expect((await world.cli(['mfa', 'delete-passkey', one, '--yes'])).code).toBe(1)
  }
  const other = await givenPasskey(world.ports, { username: 'ada' })
  expect((await world.cli(['mfa', 'delete-passkey', other.passkey.id, '--yes'])).code).toBe(0)
  expect(await world.ports.passkeys.list()).toEqual([])
})

test('4: an API token reads none', async () => {
  const { world } = await withPasskey()
  await using _ = world
  const token = (await world.cli('tokens create ci')).out.trim()
  expect((await world.cli(['mfa', 'passkeys', '--token', token])).code).toBe(4)
})
