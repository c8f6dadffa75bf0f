import { expect, test } from 'vitest'
import { conflict, internalError, type Reason } from '../../../functions/core/errors.ts'
import { memoryClock } from '../../testing/memory/clock.ts'
import { agentHost, memoryHosts } from '../../testing/memory/hosts.ts'
import { present } from '../../testing/present.ts'
import { endOfFailedFeed } from './revoked.ts'

async function world() {
  const ports = { hosts: memoryHosts(), clock: memoryClock() }
  await ports.hosts.create(agentHost('far'))
  const revoke = async () => {
    const host = present(await ports.hosts.find('far'))
    await ports.hosts.replace({ ...host, agent: { ...present(host.agent), state: 'revoked' } })
  }
  const end = (reason: Reason, used = ['far']) =>
    endOfFailedFeed(internalError('the connection ended', { reason }), new Set(used), ports)
  return { ports, revoke, end }
}

const gone = ['host-offline', 'host-revoked', 'engine-failed'] as const

test.each(gone)('1008: the host was revoked, and the feed failed with %s', async (reason) => {
  const { revoke, end } = await world()
  await revoke()
  expect(await end(reason)).toMatchObject({ code: 1008, reason: 'host-revoked' })
})

test('1008: the host was revoked and deleted', async () => {
  const { ports, end } = await world()
  await ports.hosts.remove('far')
  expect(await end('host-offline')).toMatchObject({ code: 1008 })
})

test('1008: another process revoked the host, and the cached record is older', async () => {
  const { revoke, end } = await world()
  const ending = end('host-offline')
  await revoke()
  expect(await ending).toMatchObject({ code: 1008 })
})

test('1011: the host is only offline', async () => {
  const { end } = await world()
  expect(await end('host-offline')).toMatchObject({ code: 1011, reason: 'host-offline' })
})

test('1008: a connection that broke in the middle of a response', async () => {
  const { ports, revoke } = await world()
  await revoke()
  const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  expect(await endOfFailedFeed(aborted, new Set(['far']), ports)).toMatchObject({ code: 1008 })
  expect(await endOfFailedFeed(aborted, new Set(), ports)).toMatchObject({
    code: 1011,
    reason: 'timeout',
  })
})

test('1011: only the local host was used', async () => {
  const { revoke, end } = await world()
  await revoke()
  expect(await end('engine-failed', ['local'])).toMatchObject({ code: 1011 })
})

test('1011: the store does not answer', async () => {
  const { ports, end } = await world()
  ports.hosts.find = async () => {
    throw conflict('no')
  }
  expect(await end('host-offline')).toMatchObject({ code: 1011 })
})
