import { expect, onTestFinished, test } from 'vitest'
import { agentHost, localHost, memoryHosts } from '../../testing/memory/hosts.ts'
import { memoryPorts } from '../../testing/memory/stores.ts'
import { present } from '../../testing/present.ts'
import { openEngines } from './engines.ts'

/** Opens Engines that do not answer: the local one refuses connections, and no agent is there. */
async function opened() {
  const hosts = memoryHosts()
  await hosts.create({ ...agentHost('h2'), name: 'nas' })
  const reach = async () => {
    throw new Error('its agent is offline')
  }
  const remote = { hosts, registries: memoryPorts().registries, reach }
  const engines = openEngines(localHost, { DOCKER_HOST: 'tcp://127.0.0.1:9' }, remote)
  onTestFinished(() => engines.close())
  const rename = async (id: string, name: string) => {
    await hosts.replace({ ...present(await hosts.find(id)), name })
  }
  const failure = async (id: string) => {
    const engine = await engines.on(id)
    return engine.volumes().then(
      () => 'none',
      (error: Error) => error.message,
    )
  }
  return { rename, failure }
}

test('a cached Engine names its host by the current name', async () => {
  const { rename, failure } = await opened()
  expect(await failure('h2')).toMatch(/host nas\b/)
  expect(await failure('local')).toContain(`host ${localHost.name} `)
  await rename('h2', 'attic')
  await rename('local', 'server')
  expect(await failure('h2')).toMatch(/host attic\b/)
  expect(await failure('local')).toMatch(/host server\b/)
})
