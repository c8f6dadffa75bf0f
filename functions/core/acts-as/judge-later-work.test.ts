import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { accountOf } from '../../../local/harness/sign-in.ts'
import { givenHost, givenStack, world } from '../../../local/harness/world.ts'
import { forbidden, internalError } from '../errors.ts'
import { bindAccount } from './bind-account.ts'
import { judgeLaterWork, type LaterWork } from './judge-later-work.ts'

/** Work about the stack `shop` that olga saved, such as an update on a schedule. */
async function given(more: Partial<LaterWork<ReturnType<typeof world>['ports']>> = {}) {
  const here = world()
  const { ports } = here
  await givenStack(here)
  const account = await accountOf(ports, { username: 'olga', role: 'operator' })
  const actsAs = await bindAccount(account, ['shop', 'shop', 'none'], ports)
  const needs = [{ part: 'schedule', permission: 'stacks:deploy' as const }]
  const judge = () => judgeLaterWork({ actsAs, hostId: 'local', needs, ...more }, ports)
  return { here, ports, account, actsAs, judge }
}

test('binds work to its account and to each stack by its creation', async () => {
  const { ports, account, actsAs } = await given()
  const { createdAt } = present(await ports.stacks.find('shop'))
  expect(actsAs).toEqual({
    accountId: account.id,
    username: 'olga',
    since: ports.clock.now(),
    stacks: [
      { name: 'shop', createdAt },
      { name: 'none', createdAt: null },
    ],
    blocked: null,
  })
})

test('returns the account with its current rights', async () => {
  const { judge } = await given()
  expect(await judge()).toMatchObject({ kind: 'account', actor: { account: { username: 'olga' } } })
})

test('a stack that takes a name that was free at the save blocks', async () => {
  const { here, judge } = await given()
  await givenStack(here, 'none', { deployed: false })
  expect(await judge()).toEqual({ kind: 'blocked', reason: 'stack none was created later' })
})

test('a check that refuses blocks; one that fails decides nothing', async () => {
  const refused = await given({ check: async () => Promise.reject(forbidden('not this volume')) })
  expect(await refused.judge()).toEqual({
    kind: 'blocked',
    reason: 'account olga may no longer do this: not this volume',
  })
  const failed = await given({ check: async () => Promise.reject(internalError('no answer')) })
  await expect(failed.judge()).rejects.toThrow('no answer')
})

test('a check sees only the hosts in the scope of the account', async () => {
  const seen: string[] = []
  const { here, ports, account, judge } = await given({
    hostId: 'lab',
    check: async (_, { hosts }) => void seen.push(...(await hosts.list()).map(({ id }) => id)),
  })
  await givenHost(here, 'lab', { tags: ['lab'] })
  await ports.accounts.replace({ ...account, scopeTags: ['lab'] })
  expect(await judge()).toMatchObject({ kind: 'account' })
  expect(seen).toEqual(['lab'])
})

test('work of an earlier version has no account', async () => {
  const { judge } = await given({ actsAs: undefined })
  expect(await judge()).toEqual({ kind: 'unknown-author' })
})
