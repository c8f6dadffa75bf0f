import { expect, test } from 'vitest'
import { agentHost, hostNameOf } from '../../../adapters/testing/memory/hosts.ts'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { signIn } from '../../../local/harness/sign-in.ts'
import { authenticate } from '../../kit/authenticate.ts'
import { listOverHosts } from './fan-out.ts'

test('a hundred hosts that do not answer have the same three seconds together', async () => {
  const ports = memoryPorts()
  const own = await ports.engines.on('local')
  const ids = Array.from({ length: 100 }, (_, index) => `dead-${index}`)
  for (const id of ids) {
    await ports.hosts.create(agentHost(id))
    ports.engines.byHost.set(id, own)
  }
  const caller = await authenticate(`Bearer ${await signIn(ports, 'admin')}`, ports)
  const asked = new Set<string>()
  let answered = false
  const listing = listOverHosts('all', caller, ports, async (_engine, host) => {
    asked.add(host.id)
    return host.id === 'local' ? ['one'] : new Promise<string[]>(() => {})
  }).finally(() => {
    answered = true
  })
  while (asked.size <= ids.length) await new Promise((resolve) => setImmediate(resolve))
  ports.clock.advance(2999)
  await new Promise((resolve) => setImmediate(resolve))
  expect(answered).toBe(false)
  ports.clock.advance(1)
  const late = (id: string) => ({
    host_id: id,
    host_name: hostNameOf(id),
    error: `host ${hostNameOf(id)} did not respond within 3 s`,
  })
  expect(await listing).toMatchObject({
    items: ['one'],
    unreachable_hosts: expect.arrayContaining(ids.map(late)),
  })
})
