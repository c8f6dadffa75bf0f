import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { feedWorld } from '../../local/harness/feeds.ts'
import { givenHost, givenStack, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import type { PulledLayer } from '../core/records/host-engine.ts'
import { PullMessage } from './schema.ts'
import './follow-pull.ts'

const path = '/ws/images/pull?image=nginx:1'
const layer = (current: number): PulledLayer => ({
  id: '4468fcfee91d',
  state: 'downloading',
  current,
  total: 9_000,
})

async function pullWorld() {
  const made = world()
  const service = await feedWorld({ ports: made.ports, limits: { recheck: 20 } })
  onTestFinished(() => service.close(AbortSignal.abort()))
  const rows = async () => (await made.ports.audit.list({ limit: 9 })).rows
  return { ...made, service, rows }
}

function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<T>((...both) => {
    ;[resolve, reject] = both
  })
  return { promise, resolve, reject }
}

/** Replaces the pull of an Engine by one that reports and ends when the test says so. */
function controlledPull({ engine }: Pick<ReturnType<typeof world>, 'engine'>) {
  const { pullImage } = engine
  const begun = deferred<(layer: PulledLayer) => void>()
  const end = deferred<void>()
  const seen = { aborted: false }
  engine.pullImage = async (reference, signal, { report = () => {} } = {}) => {
    begun.resolve(report)
    signal.addEventListener('abort', () => {
      seen.aborted = true
      end.reject(signal.reason)
    })
    await end.promise
    return pullImage(reference, signal)
  }
  return { report: begun.promise, end, seen }
}

test('101: sends the layers, then the image, and records that it was pulled', async () => {
  const { service, rows } = await pullWorld()
  const feed = await service.open(path, 'operator')
  expect(await feed.ended).toMatchObject({ code: 1000 })
  const messages = feed.messages.map((text) => PullMessage.parse(JSON.parse(String(text))))
  expect(messages).toMatchObject([
    { layers: [{ state: 'done', total: null }] },
    { image: { tags: ['nginx:1'], host_id: 'local' } },
  ])
  await expect.poll(rows).toMatchObject([
    {
      action: 'ws.images.pull',
      outcome: 'succeeded',
      status: 200,
      hosts: ['local'],
      subject: { kind: 'images', id: 'nginx:1' },
      values: { image: 'nginx:1' },
    },
  ])
})

test('sends only the latest state of a layer, however often the Engine reports it', async () => {
  const made = await pullWorld()
  const pull = controlledPull(made)
  const feed = await made.service.open(path, 'operator')
  const report = await pull.report
  report(layer(0))
  expect(await feed.json()).toEqual({ layers: [layer(0)] })
  for (let bytes = 1; bytes <= 5_000; bytes += 1) report(layer(bytes))
  expect(await feed.json()).toEqual({ layers: [layer(5_000)] })
  report(layer(9_000))
  pull.end.resolve()
  expect(await feed.json()).toEqual({ layers: [layer(9_000)] })
  expect(await feed.json()).toMatchObject({ image: { tags: ['nginx:1'] } })
})

test('a client that leaves cancels the pull, which is recorded', async () => {
  const made = await pullWorld()
  const pull = controlledPull(made)
  const feed = await made.service.open(path, 'operator')
  await pull.report
  expect(await made.rows()).toMatchObject([{ outcome: 'begun' }])
  feed.ws.terminate()
  await expect.poll(() => pull.seen.aborted).toBe(true)
  await expect.poll(made.rows).toMatchObject([{ outcome: 'failed', status: 499 }])
})

test('a user who may no longer pull loses the feed and the pull', async () => {
  const made = await pullWorld()
  const pull = controlledPull(made)
  const feed = await made.service.open(path, { role: 'operator', username: 'ada' })
  await pull.report
  const ada = present(await made.ports.accounts.findByUsername('ada'))
  await made.ports.accounts.replace({ ...ada, role: 'viewer' })
  const reason = expect.stringMatching(/^forbidden: the permissions/)
  expect(await feed.ended).toEqual({ code: 1008, reason })
  expect(feed.closing()).toMatchObject({ code: 1008, reason: 'forbidden' })
  await expect.poll(() => pull.seen.aborted).toBe(true)
})

test('the error of a pull is the last message, in whole, and is recorded', async () => {
  const { service, engine, rows } = await pullWorld()
  const message = `Pulling nginx:1 failed: ${'it is long; '.repeat(20)}`
  engine.pullImage = async () => {
    throw internalError(message, { reason: 'registry-unreachable' })
  }
  const feed = await service.open(path, 'operator')
  const said = PullMessage.parse(await feed.json())
  expect(said).toEqual({ error: message, status: 500, reason: 'registry-unreachable' })
  const end = await feed.ended
  expect(end).toMatchObject({
    code: 1011,
    reason: expect.stringMatching(/^registry-unreachable: /),
  })
  expect(Buffer.byteLength(end.reason)).toBeLessThanOrEqual(123)
  expect(feed.closing()).toEqual({ code: 1011, reason: 'registry-unreachable', message })
  await expect.poll(rows).toMatchObject([{ outcome: 'failed', status: 500 }])
})

test('an error that is not meant for callers is not sent', async () => {
  const { service, engine } = await pullWorld()
  engine.pullImage = async () => {
    throw new Error('secret cause')
  }
  const feed = await service.open(path, 'operator')
  await feed.ended
  expect(String(feed.messages)).not.toContain('secret')
  expect(JSON.parse(String(feed.messages[0]))).toMatchObject({ status: 500, reason: 'internal' })
})

test('400, 403, 404, 409: refuses before the upgrade what the endpoint refuses', async () => {
  const made = await pullWorld()
  await givenHost(made, 'far', { tags: ['lab'] })
  const status = (query: string, as: Parameters<typeof made.service.open>[1] = 'operator') =>
    made.service.open(`/ws/images/pull${query}`, as).then(
      () => 101,
      (error) => error.status,
    )
  expect(await status('')).toBe(400)
  expect(await status('?image=a%20b')).toBe(400)
  expect(await status('?image=nginx:1&host=all')).toBe(400)
  expect(await status('?image=container-stacks/files:1')).toBe(400)
  expect(await status('?image=nginx:1', 'viewer')).toBe(403)
  expect(await status('?image=localhost:5000/x')).toBe(403)
  const scoped = { username: 'ada', role: 'operator', scopeTags: ['lab'] }
  expect(await status('?image=nginx:1&host=local', scoped)).toBe(403)
  expect(await status('?image=nginx:1&host=mars')).toBe(404)
  await givenStack(made, 'shop', { deployed: false })
  const name = 'docker.io/library/shop-web:latest'
  await made.ports.owners.claim({ hostId: 'local', kind: 'image', name, stack: 'shop', at: 0 })
  await made.ports.roles.create({
    id: 'puller',
    permissions: ['images:pull', 'stacks:read'],
    createdAt: 0,
  })
  expect(await status('?image=shop-web', { role: 'puller', username: 'eve' })).toBe(409)
})
