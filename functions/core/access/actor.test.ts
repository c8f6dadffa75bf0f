import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import { accountOf } from '../../../local/harness/sign-in.ts'
import type { Account } from '../records/account.ts'
import { currentActor } from './actor.ts'

/** The operator olga, who may use the hosts with the tag `lab`. */
async function world() {
  const ports = memoryPorts()
  const { id } = await accountOf(ports, { username: 'olga', role: 'operator', scopeTags: ['lab'] })
  const change = async (to: Partial<Account>) => {
    await ports.accounts.replace({ ...present(await ports.accounts.find(id)), ...to })
  }
  return { ports, id, change }
}

test('returns the account with the permissions of its role and its scope', async () => {
  const { ports, id } = await world()
  const actor = present(await currentActor(id, ports))
  expect(actor.account.username).toBe('olga')
  expect(actor.permissions.has('stacks:deploy')).toBe(true)
  expect(actor.permissions.has('stacks:privileged')).toBe(false)
  expect(actor.scopeTags).toEqual(['lab'])
})

test('returns the rights of this moment', async () => {
  const { ports, id, change } = await world()
  await change({ role: 'viewer', scopeTags: ['office'] })
  const actor = present(await currentActor(id, ports))
  expect(actor.permissions.has('stacks:deploy')).toBe(false)
  expect(actor.scopeTags).toEqual(['office'])
})

test('returns an account whose role is gone without any permission', async () => {
  const { ports, id, change } = await world()
  await change({ role: 'gone' })
  expect([...present(await currentActor(id, ports)).permissions]).toEqual([])
})

test('returns undefined for an account that is disabled or deleted', async () => {
  const { ports, id, change } = await world()
  await change({ disabled: true })
  expect(await currentActor(id, ports)).toBeUndefined()
  await ports.accounts.remove(id)
  expect(await currentActor(id, ports)).toBeUndefined()
})
