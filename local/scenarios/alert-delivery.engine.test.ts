import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { table } from '../../adapters/dynamo/table.ts'
import { systemClock } from '../../adapters/node/process/clock.ts'
import { storedAlertDeliveries } from '../../adapters/store/alert-deliveries.ts'
import { alertEvent } from '../../adapters/testing/contract/samples.ts'
import { present } from '../../adapters/testing/present.ts'
import { signatureOf } from '../../functions/core/alerts/compose.ts'
import { httpSink } from '../harness/alert-sinks.ts'
import { testAddress, testClient } from '../harness/dynamo-table.ts'
import { freePort } from '../harness/free-port.ts'
import { api, newPlace, setUpAdmin, startIn, until } from '../harness/service.ts'

const proxy = await recordingProxy()
const place = newPlace({
  SERVICE_OUTBOUND_ALLOW: '127.0.0.1',
  HTTPS_PROXY: `http://me:secret@127.0.0.1:${proxy.port}`,
})
afterAll(async () => {
  await place.remove()
  proxy.close()
})

/** Starts a proxy that refuses every tunnel, and records their destinations. */
async function recordingProxy() {
  const asked: (string | undefined)[] = []
  const server = createServer().on('connect', ({ url }, socket) => {
    asked.push(url)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { asked, port, close: () => server.close() }
}

test('delivers an alert once with two processes, and again after both senders were killed', async () => {
  const port = await freePort()
  const one = await startIn(place)
  const token = await setUpAdmin(place, one)
  const other = await startIn(place)
  const secret = 'a long random text'
  const body = { name: 'Ops', kind: 'webhook', url: `http://127.0.0.1:${port}/`, secret }
  const made = await api(one, 'POST', '/alert-channels', { token, body })
  expect(made.status).toBe(201)
  const channel = made.json.id
  const client = testClient(testAddress(place.env.SERVICE_DYNAMODB_TABLE))
  const deliveries = storedAlertDeliveries(table(client), systemClock)

  // While no server listens the delivery waits. It arrives once one does.
  await deliveries.add(alertEvent('e1'), [channel])
  const shown = async (from = one) =>
    (await api(from, 'GET', '/alert-channels', { token })).json[0].last_delivery
  await until(shown, (last) => last?.error === 'connection refused')
  await using sink = await httpSink(port)
  await until(shown, (last) => last?.state === 'delivered')
  expect(sink.received).toHaveLength(1)
  const [first] = sink.received
  expect(present(first).headers['x-signature-256']).toBe(signatureOf(secret, present(first).body))

  // What is not on this machine goes through the proxy, which is named without its password.
  const away = { name: 'Away', kind: 'webhook', url: 'https://hooks.example.test/', secret }
  const added = await api(one, 'POST', '/alert-channels', { token, body: away })
  expect(added).toMatchObject({ status: 201 })
  const { id } = added.json
  await deliveries.add(alertEvent('e0'), [id])
  const shownAway = async () => {
    const { json } = await api(one, 'GET', '/alert-channels', { token })
    return json.find((each: { id: string }) => each.id === id).last_delivery
  }
  const refused = await until(shownAway, (last) => last?.error !== null && last !== null)
  expect(refused.error).toBe(
    `the proxy 127.0.0.1:${proxy.port} refuses the connection (it responds with 403)`,
  )
  expect(proxy.asked).toContain('hooks.example.test:443')
  expect((await api(one, 'DELETE', `/alert-channels/${id}`, { token })).status).toBe(204)

  // Two processes deliver many at once. Each arrives exactly once.
  const many = Array.from({ length: 20 }, (_, at) => `m${at}`)
  await Promise.all(many.map((id) => deliveries.add(alertEvent(id), [channel])))
  await until(
    async () => sink.received.length,
    (count) => count >= 21,
  )
  const ids = sink.received.map(({ headers }) => headers['x-delivery-id'])
  expect(new Set(ids).size).toBe(21)
  expect(ids).toHaveLength(21)

  // The processes are killed after the request arrived but before its response. It is sent again
  // with the same ID.
  sink.answer = () => {
    for (const { child } of [one, other]) child.kill('SIGKILL')
  }
  await deliveries.add(alertEvent('e2'), [channel])
  await Promise.all([one.ended, other.ended])
  sink.answer = (response) => void response.writeHead(204).end()
  const next = await startIn(place)
  const arrived = () =>
    sink.received.filter(({ headers }) => headers['x-delivery-id'] === `e2.${channel}`).length
  await until(
    async () => arrived(),
    (count) => count === 2,
    40,
  )
  await until(
    () => shown(next),
    (last) => last?.state === 'delivered',
  )
  expect(await deliveries.find(`e2.${channel}`)).toMatchObject({ state: 'delivered', tries: 2 })
})
