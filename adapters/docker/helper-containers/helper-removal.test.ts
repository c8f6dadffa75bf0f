import { expect, test } from 'vitest'
import { json, loopbackEngine } from '../../../local/harness/loopback-engine.ts'
import { engineClient } from '../transport/client.ts'
import { removeHelper } from './helper-container.ts'

const inProgress = { message: 'removal of container c is already in progress' }
const missing = { message: 'No such container: c' }

/** Returns a client of an Engine that answers removals with these statuses, then with the last. */
async function answering(...statuses: number[]) {
  const { transport, calls } = await loopbackEngine((_, response) => {
    const status = statuses.length > 1 ? statuses.shift() : statuses[0]
    if (status === 204) return response.writeHead(204).end()
    return json(response, status ?? 500, status === 404 ? missing : inProgress)
  })
  const removals = () => calls.filter((call) => call.startsWith('DELETE'))
  return { client: engineClient(transport, 'local'), removals }
}

test('waits until a removal that another process began has ended', async () => {
  const { client, removals } = await answering(409, 409, 404)
  await removeHelper(client, 'c')
  expect(removals()).toHaveLength(3)
})

test('removes the helper after a removal of another process failed', async () => {
  const { client, removals } = await answering(409, 204)
  await removeHelper(client, 'c')
  expect(removals()).toHaveLength(2)
})

test('does nothing if the helper is gone', async () => {
  const { client, removals } = await answering(404)
  await removeHelper(client, 'c')
  expect(removals()).toHaveLength(1)
})

test('409: fails if a removal by another process does not end in time', async () => {
  const { client } = await answering(409)
  const removal = removeHelper(client, 'c', { within: 300 })
  await expect(removal).rejects.toMatchObject({
    status: 409,
    message: 'the container is being removed already',
  })
})

test('500: fails at once if the Engine cannot remove the helper', async () => {
  const { client, removals } = await answering(500)
  await expect(removeHelper(client, 'c')).rejects.toMatchObject({ status: 500 })
  expect(removals()).toHaveLength(1)
})
