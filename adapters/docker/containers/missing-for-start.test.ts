import { expect, test } from 'vitest'
import { inspectedContainer } from '../../../local/harness/engine-responses.ts'
import { json, loopbackEngine } from '../../../local/harness/loopback-engine.ts'
import { engineClient } from '../transport/client.ts'
import { actOn } from './actions.ts'

const id = 'c0'.repeat(32)
const lost = 'a1'.repeat(32)
const labels = { 'com.docker.compose.project': 'shop' }

/** Returns an Engine that refuses to start or restart a container with these words. */
async function refusing(status: number, message: string, Labels: object = labels) {
  const network = { NetworkID: lost, IPAddress: '', Aliases: [] }
  const shown = {
    ...inspectedContainer(id, 'shop-web-1'),
    Config: { Image: 'busybox:latest', Labels, Env: [], Cmd: [], Entrypoint: [] },
    NetworkSettings: { Networks: { shop_front: network } },
  }
  const { transport } = await loopbackEngine(({ method, path }, response) => {
    if (method === 'GET' && path === `/containers/${id}/json`) return json(response, 200, shown)
    return method === 'POST' ? json(response, status, { message }) : undefined
  })
  return engineClient(transport, 'local')
}

test.each([
  ['start', 404, `network ${lost} not found`],
  ['start', 500, `failed to set up container networking: network ${lost} not found`],
  ['start', 404, 'network shop_front not found'],
  ['restart', 500, `Cannot restart container ${id}: network ${lost} not found`],
] as const)(
  '409: a %s with status %i names the network, and what helps',
  async (kind, status, message) => {
    await expect(actOn(await refusing(status, message), id, { kind })).rejects.toMatchObject({
      status: 409,
      reason: 'conflict',
      message:
        'container shop-web-1: its network shop_front was removed: deploy the stack: that creates both again',
    })
  },
)

test('409: a network that the container no longer has, of a container without a stack', async () => {
  const client = await refusing(404, `network ${'b2'.repeat(32)} not found`, {})
  await expect(actOn(client, id, { kind: 'start' })).rejects.toMatchObject({
    status: 409,
    message: 'container shop-web-1: one of its networks was removed: create the container again',
  })
})

test('409: a container whose namespaces it shares was removed', async () => {
  const message = `Cannot restart container ${id}: No such container: ${lost}`
  await expect(actOn(await refusing(500, message), id, { kind: 'restart' })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('a container whose namespaces it shares was removed'),
  })
})

test('404: the container itself was removed', async () => {
  const { transport } = await loopbackEngine((_, response) =>
    json(response, 404, { message: `No such container: ${id}` }),
  )
  await expect(
    actOn(engineClient(transport, 'local'), id, { kind: 'start' }),
  ).rejects.toMatchObject({ status: 404, message: `No such container: ${id}` })
})

test('500: an unknown error stays as it is', async () => {
  await expect(
    actOn(await refusing(500, 'something new'), id, { kind: 'start' }),
  ).rejects.toMatchObject({ status: 500, reason: 'engine-failed' })
})
