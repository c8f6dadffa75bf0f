import { expect, test } from 'vitest'
import { inspectedContainer } from '../../../local/harness/engine-responses.ts'
import { json, loopbackEngine } from '../../../local/harness/loopback-engine.ts'
import { engineClient } from '../transport/client.ts'
import { removeNetwork } from './network-removal.ts'

const refusal = { message: 'error while removing network: network n has active endpoints' }

test('waits for endpoints of removed containers, then disconnects them', async () => {
  let refused = 0
  const { transport, calls } = await loopbackEngine(({ method, path }, response) => {
    if (method === 'POST') return json(response, 200, {})
    if (method === 'DELETE' && calls.some((call) => call.includes('disconnect'))) {
      return response.writeHead(204).end()
    }
    if (method === 'DELETE') {
      refused += 1
      return json(response, 403, refusal)
    }
    if (path === '/networks/n') {
      return json(response, 200, { Id: 'n', Name: 'net', Containers: { gone: {} } })
    }
    return json(response, 404, { message: 'No such container: gone' })
  })
  await removeNetwork(engineClient(transport, 'local'), 'n')
  expect(refused).toBeGreaterThan(1)
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([
    'POST /v1.41/networks/n/disconnect',
  ])
})

test('409: names attached containers at once and leaves them attached', async () => {
  const { transport, calls } = await loopbackEngine(({ method, path }, response) => {
    if (method === 'DELETE') return json(response, 403, refusal)
    if (path === '/networks/n') {
      return json(response, 200, { Id: 'n', Name: 'net', Containers: { aa: {}, bb: {} } })
    }
    const isWeb = path.includes('aa')
    return json(
      response,
      200,
      isWeb ? inspectedContainer('aa', 'web') : inspectedContainer('bb', 'db'),
    )
  })
  await expect(removeNetwork(engineClient(transport, 'local'), 'n')).rejects.toMatchObject({
    status: 409,
    message: 'The network net is still in use by web, db',
  })
  expect(calls.filter((call) => !call.startsWith('GET'))).toEqual(['DELETE /v1.41/networks/n'])
})

test('treats a missing network as removed', async () => {
  const { transport, calls } = await loopbackEngine((_, response) =>
    json(response, 404, { message: 'network n not found' }),
  )
  await removeNetwork(engineClient(transport, 'local'), 'n')
  expect(calls).toEqual(['DELETE /v1.41/networks/n'])
})
