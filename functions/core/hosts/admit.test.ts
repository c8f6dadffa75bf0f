import { expect, test } from 'vitest'
import { agentHost, memoryHosts } from '../../../adapters/testing/memory/hosts.ts'
import type { HostAgent } from '../records/host.ts'
import { admitAgent, isCertificateCurrent } from './admit.ts'

const enrolled: HostAgent = {
  state: 'enrolled',
  serial: 'A1',
  nextSerial: 'B2',
  certificateExpiresAt: 1,
}

async function hostsWith(agent: Partial<HostAgent>) {
  const hosts = memoryHosts()
  await hosts.create({ ...agentHost('nas'), agent: { ...enrolled, ...agent } })
  return { hosts }
}

test('admits the certificate of the host', async () => {
  const ports = await hostsWith({})
  expect(await admitAgent({ hostId: 'nas', serial: 'A1' }, ports)).toMatchObject({
    host: { id: 'nas' },
  })
})

test('the first use of a renewed certificate invalidates the previous one', async () => {
  const ports = await hostsWith({})
  expect(await admitAgent({ hostId: 'nas', serial: 'B2' }, ports)).toHaveProperty('host')
  expect(await admitAgent({ hostId: 'nas', serial: 'B2' }, ports)).toHaveProperty('host')
  expect(await admitAgent({ hostId: 'nas', serial: 'A1' }, ports)).toEqual({
    refused: 'the certificate was replaced',
  })
})

test.each([
  ['nas', 'C3', {}, 'the certificate was replaced'],
  ['nas', 'A1', { state: 'revoked' }, 'the host was revoked'],
  [
    'nas',
    'A1',
    { state: 'pending', serial: null, nextSerial: null },
    'the certificate was replaced',
  ],
  ['local', 'A1', {}, 'there is no such host'],
  ['mars', 'A1', {}, 'there is no such host'],
] as const)('rejects %s with %s: %o', async (hostId, serial, agent, reason) => {
  const ports = await hostsWith(agent)
  expect(await admitAgent({ hostId, serial }, ports)).toEqual({ refused: reason })
})

test('keeps a connection whose certificate is current or being renewed', () => {
  const host = { ...agentHost('nas'), agent: enrolled }
  expect(isCertificateCurrent(host, 'A1')).toBe(true)
  expect(isCertificateCurrent(host, 'B2')).toBe(true)
  expect(isCertificateCurrent(host, 'C3')).toBe(false)
  expect(isCertificateCurrent({ ...host, agent: { ...enrolled, state: 'revoked' } }, 'A1')).toBe(
    false,
  )
  expect(isCertificateCurrent(undefined, 'A1')).toBe(false)
})
