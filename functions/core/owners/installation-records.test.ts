import { expect, test } from 'vitest'
import { stack } from '../../../adapters/testing/contract/samples.ts'
import { agentHost } from '../../../adapters/testing/memory/hosts.ts'
import { type MemoryPorts, memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import { internalError } from '../errors.ts'
import type { ServiceProcess } from '../records/installation.ts'
import {
  forgetRemovedProcesses,
  installationRecords,
  registerProcess,
} from './installation-records.ts'

const id = (digit: string) => digit.repeat(64)
const process = (container: string, more: Partial<ServiceProcess> = {}): ServiceProcess => ({
  id: container,
  container,
  machine: 'm',
  dataDirectory: '/data',
  engineId: 'E1',
  store: null,
  ...more,
})

async function connected(ports: MemoryPorts, hostId: string) {
  await ports.hosts.create(agentHost(hostId))
  const facts = { version: '1', hostname: hostId, container: id('c') }
  const made = { hostId, processId: 'p', address: 'a:1', facts, connectedAt: 0 }
  await ports.hostConnections.claim(made)
}

test('has every process that registered, and this one before it did', async () => {
  const ports = memoryPorts()
  await registerProcess(process(id('a')), ports)
  await registerProcess(process(id('a'), { engineId: 'E2' }), ports)
  const { processes } = await installationRecords(process(id('b')), ports)()
  expect(processes).toMatchObject([{ id: id('a'), engineId: 'E2' }, { id: id('b') }])
})

test('has an agent that is away, until its host is revoked or removed', async () => {
  const ports = memoryPorts()
  await connected(ports, 'nas')
  const read = installationRecords(process('none'), ports)
  expect((await read()).agents).toEqual([{ hostId: 'nas', container: id('c'), hostname: 'nas' }])
  const host = present(await ports.hosts.find('nas'))
  const agent = { ...present(host.agent), state: 'revoked' as const }
  await ports.hosts.replace({ ...host, agent })
  ports.clock.advance(1000)
  expect((await read()).agents).toEqual([])
})

test('has the stacks that were ever deployed, so that none claims a project by its name', async () => {
  const ports = memoryPorts()
  const never = { deployed: false, adopted: false, written: null, deployedAt: null }
  await ports.stacks.create({ ...stack('shop'), ...never })
  await ports.stacks.create({ ...stack('blog'), ...never, deployed: true })
  const { stacks } = await installationRecords(process('none'), ports)()
  expect(stacks.map(({ id }) => id)).toEqual(['blog'])
})

test('returns the last answer while the store does not answer', async () => {
  const ports = memoryPorts()
  await registerProcess(process(id('a')), ports)
  let isOut = false
  const list = async () => {
    if (isOut) throw internalError('the store does not answer')
    return ports.serviceProcesses.list()
  }
  const serviceProcesses = { ...ports.serviceProcesses, list }
  const self = process('none')
  const read = installationRecords(self, { ...ports, serviceProcesses })
  const before = await read()
  isOut = true
  ports.clock.advance(1000)
  expect(await read()).toEqual(before)
  await expect(installationRecords(self, { ...ports, serviceProcesses })()).rejects.toThrow('store')
})

test('forgets containers that were removed from its own Engine, and no others', async () => {
  const ports = memoryPorts()
  const self = process(id('a'))
  const unknown = process('unknown', { id: 'u' })
  const elsewhere = process(id('e'), { engineId: 'E2' })
  const outside = process('none', { id: 'n' })
  for (const one of [self, unknown, elsewhere, outside, process(id('b')), process(id('d'))])
    await registerProcess(one, ports)
  await forgetRemovedProcesses(self, new Set([id('b')]), ports)
  const left = (await ports.serviceProcesses.list()).map((one) => one.id)
  expect(left).toEqual([id('a'), id('b'), id('e'), 'n'])
})
