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

test('409: cloud functions run in no container that could be replaced', async () => {
  const { serviceUpgrades } = offlineEngines(memoryPorts())
  const to = { image: 'container-stacks:latest', imageId: 'sha256:new' }
  const upgrade = { id: 'u1', containerId: 'c1', to }
  await expect(serviceUpgrades.start(upgrade)).rejects.toMatchObject({ status: 409 })
  await serviceUpgrades.tidy(0, true)
  expect(await serviceUpgrades.last()).toBeUndefined()
})
