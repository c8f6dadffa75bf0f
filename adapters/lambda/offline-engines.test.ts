import { expect, test } from 'vitest'
import { agentHost } from '../testing/memory/hosts.ts'
import { memoryPorts } from '../testing/memory/stores.ts'
import { offlineEngines } from './offline-engines.ts'

test('500: every host is offline, and 404: there is no such host', async () => {
  const { hosts } = memoryPorts()
  await hosts.create(agentHost('h1'))
  const { engines, hostGauges } = offlineEngines({ hosts })
  const offline = { status: 500, reason: 'host-offline' }
  await expect(engines.on('h1')).rejects.toMatchObject(offline)
  await expect(hostGauges.read('h1', new AbortController().signal)).rejects.toMatchObject(offline)
  await expect(engines.on('h2')).rejects.toMatchObject({ status: 404 })
})
