import { expect, test } from 'vitest'
import { memoryComposer } from '../../../adapters/testing/memory/composer.ts'
import { scopedPorts } from '../../../local/harness/scoped.ts'
import type { Caller } from '../records/account.ts'
import { composeOnBehalfOf, inScope } from './scope.ts'

test('an account without tags can access every host, others only hosts with one of their tags', () => {
  expect(inScope([], { tags: [] })).toBe(true)
  expect(inScope(['lab', 'office'], { tags: ['office'] })).toBe(true)
  expect(inScope(['lab'], { tags: [] })).toBe(false)
  expect(inScope([''], { tags: ['lab'] })).toBe(false)
})

test('lists omit hosts out of scope', async () => {
  const ids = async (...tags: string[]) =>
    (await (await scopedPorts(...tags)).seen.hosts.list()).map(({ id }) => id).sort()
  expect(await ids()).toEqual(['lab', 'local'])
  expect(await ids('lab')).toEqual(['lab'])
  expect(await ids('office')).toEqual([])
})

test('403: a host out of scope, also when its engine is requested', async () => {
  const { hosts, engines } = (await scopedPorts('lab')).seen
  expect((await hosts.find('lab'))?.id).toBe('lab')
  await expect(hosts.find('local')).rejects.toMatchObject({ status: 403 })
  await expect(engines.on('local')).rejects.toMatchObject({ status: 403 })
})

test('404: unknown host', async () => {
  const { hosts, engines } = (await scopedPorts('lab')).seen
  expect(await hosts.find('none')).toBeUndefined()
  await expect(engines.on('none')).rejects.toMatchObject({ status: 404 })
})

test('queues composer work under the account of the caller', () => {
  const callers: string[] = []
  const composer = memoryComposer()
  const onBehalfOf = (caller: string) => {
    callers.push(caller)
    return composer
  }
  const caller = { account: { id: 'id-of-ann' } } as Caller
  const ports = { composer: { ...composer, onBehalfOf }, other: 1 }
  expect(composeOnBehalfOf(ports, caller)).toEqual({ composer, other: 1 })
  expect(callers).toEqual(['id-of-ann'])
  expect(composeOnBehalfOf({ other: 1 }, caller)).toEqual({ other: 1 })
})
