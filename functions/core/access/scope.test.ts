import { expect, test } from 'vitest'
import { agentHost } from '../../../adapters/memory/hosts.ts'
import { memoryPorts } from '../../../adapters/memory/stores.ts'
import type { Caller } from './account.ts'
import { permissions } from './permissions.ts'
import { inScope, scopePorts } from './scope.ts'
import { newAccount } from './user.ts'

function caller(scopeTags: string[]): Caller {
  const account = newAccount({ id: 'a', username: 'anna', role: 'admin', passwordHash: '' }, 0)
  const credential = { kind: 'session', sessionId: 's', tokenId: 't', expiresAt: 1 } as const
  return { account, scopeTags, credential, permissions: new Set<string>(permissions) }
}

/** Ports as a caller with these tags sees them: the host `lab` carries the tag `lab`, the local one none. */
async function seenBy(...scopeTags: string[]) {
  const ports = memoryPorts()
  await ports.hosts.create(agentHost('lab', ['lab']))
  return scopePorts(ports, caller(scopeTags))
}

test('no tags reach every host, some only hosts that carry one of them', () => {
  expect(inScope([], { tags: [] })).toBe(true)
  expect(inScope(['lab', 'office'], { tags: ['office'] })).toBe(true)
  expect(inScope(['lab'], { tags: [] })).toBe(false)
  expect(inScope([''], { tags: ['lab'] })).toBe(false)
})

test('lists leave out what is out of scope', async () => {
  const ids = async (...tags: string[]) =>
    (await (await seenBy(...tags)).hosts.list()).map(({ id }) => id).sort()
  expect(await ids()).toEqual(['lab', 'local'])
  expect(await ids('lab')).toEqual(['lab'])
  expect(await ids('office')).toEqual([])
})

test('403: a host that exists out of scope, also by its engine', async () => {
  const { hosts, engines } = await seenBy('lab')
  expect((await hosts.find('lab'))?.id).toBe('lab')
  await expect(hosts.find('local')).rejects.toMatchObject({ status: 403 })
  await expect(engines.on('local')).rejects.toMatchObject({ status: 403 })
})

test('404: a host that does not exist', async () => {
  const { hosts, engines } = await seenBy('lab')
  expect(await hosts.find('none')).toBeUndefined()
  await expect(engines.on('none')).rejects.toMatchObject({ status: 404 })
})
