import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { serviceRow } from '../audit/row.ts'
import type { EncodedEvent } from '../ports/service-events.ts'
import type { AuditAction } from '../records/audit-actions.ts'
import { Broadcast } from '../streams/broadcast.ts'
import { followService } from './service.ts'

/** Follows the events of a service that polls when the test says so. */
function following() {
  const ports = memoryPorts()
  const sent: { kind: string; host_name: string | null }[] = []
  const out = new Broadcast<EncodedEvent>(() => {})
  out.publish = ({ bytes }) => void sent.push(JSON.parse(Buffer.from(bytes).toString('utf8')))
  const hosts = { reads: 0, fail: false }
  const { list } = ports.hosts
  ports.hosts.list = async () => {
    hosts.reads += 1
    if (hosts.fail) throw new Error('the store is away')
    return list()
  }
  let wake: (() => void) | undefined
  ports.clock.sleep = () =>
    new Promise((resolve) => {
      wake = resolve
    })
  const over = new AbortController()
  void followService(out, ports, over.signal, () => {})
  const polled = () => expect.poll(() => wake !== undefined).toBe(true)
  const poll = async () => {
    await polled()
    const next = wake
    wake = undefined
    next?.()
    await polled()
  }
  const happen = (action: AuditAction) => {
    const at = ports.clock.now()
    const subject = { kind: 'hosts', id: 'local' }
    const row = { id: ports.random.id(), at, action, outcome: 'succeeded', subject } as const
    return ports.audit.append({ ...serviceRow(row), hosts: ['local'] })
  }
  return { poll, happen, hosts, sent, ports }
}

test('reads the names of the hosts only if there are events', async () => {
  const { poll, happen, hosts, sent } = following()
  await poll()
  await poll()
  expect([hosts.reads, sent]).toEqual([0, []])
  await happen('hosts.update')
  await poll()
  await poll()
  expect([hosts.reads, sent.length]).toEqual([1, 1])
})

test('sends events in order after names of hosts could not be read', async () => {
  const { poll, happen, hosts, sent, ports } = following()
  await poll()
  hosts.fail = true
  await happen('hosts.update')
  await poll()
  await happen('hosts.revoke')
  await poll()
  expect(sent).toEqual([])
  hosts.fail = false
  await poll()
  await poll()
  const [{ name = '' } = {}] = await ports.hosts.list()
  expect(sent).toMatchObject([
    { kind: 'host.update', host_name: name },
    { kind: 'host.revoke', host_name: name },
  ])
})
