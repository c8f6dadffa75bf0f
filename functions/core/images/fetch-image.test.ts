import { expect, test } from 'vitest'
import { memoryEngine } from '../../../adapters/testing/memory/engine.ts'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { fetchImage, type ImageStep } from './fetch-image.ts'

const name = 'nas:5000/x'

/** Pulls an image of a private registry with the rights of a caller. */
function pull(reach: 'host' | 'stack') {
  const engine = memoryEngine()
  engine.state.registry.add(name)
  const about = { index: 0, after: [], reason: 'no image', service: 'web' }
  const step: ImageStep = { ...about, action: 'pull', kind: 'image', name }
  const user = { stack: 'shop', hostId: 'local', reach }
  const how = { user, accepted: { bases: [], all: false } }
  return fetchImage(step, how, engine, new AbortController().signal, memoryPorts())
}

test('403: the pull of a deployment judges the registry again', async () => {
  await expect(pull('stack')).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining(`image ${name}: the registry "nas:5000"`),
  })
})

test('pulls from any registry with stacks:privileged', async () => {
  expect(await pull('host')).toMatchObject({ id: expect.any(String) })
})
