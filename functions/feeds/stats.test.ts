import { expect, onTestFinished, test } from 'vitest'
import { feedWorld } from '../../local/harness/feeds.ts'
import { givenContainer, world } from '../../local/harness/world.ts'
import { StatsMessage } from './schema.ts'
import './stats.ts'

async function watched() {
  const made = world()
  const id = await givenContainer(made, 'one')
  const service = await feedWorld({ ports: made.ports })
  onTestFinished(() => service.close(AbortSignal.abort()))
  let streams = 0
  const { stats } = made.engine
  made.engine.stats = (...given) => {
    streams += 1
    return stats(...given)
  }
  return { ...made, service, id, streams: () => streams }
}

test('101: sends statistics, then the exit code, from one stream of the Engine for all clients', async () => {
  const { service, id, engine, streams } = await watched()
  const first = await service.open(`/ws/stats/${id}`, 'viewer')
  expect(StatsMessage.parse(await first.json())).toMatchObject({
    cpu_percent: 12.5,
    cpus: 2,
    memory: 10_485_760,
    memory_percent: 10,
    network_tx: 2000,
    block_read: 4096,
    pids: 1,
  })
  const second = await service.open('/ws/stats/one')
  await expect.poll(() => service.server.size).toBe(2)
  engine.state.touch()
  await Promise.all([first.json(), second.json()])
  expect(streams()).toBe(1)
  await engine.act(id, { kind: 'kill' })
  for (const feed of [first, second]) {
    expect(await feed.ended).toMatchObject({ code: 1000 })
    expect(JSON.parse(String(feed.messages.at(-1)))).toEqual({ end: { exit_code: 137 } })
    expect(feed.closing()).toMatchObject({ code: 1000, reason: null, exit_code: 137 })
  }
})

test('sends only the exit code of a stopped container', async () => {
  const { service, id, engine } = await watched()
  await engine.act(id, { kind: 'kill' })
  const feed = await service.open(`/ws/stats/${id}`)
  expect(await feed.ended).toMatchObject({ code: 1000 })
  expect(feed.messages).toEqual(['{"end":{"exit_code":137}}'])
})

test('404: unknown container', async () => {
  const { service } = await watched()
  await expect(service.open('/ws/stats/none')).rejects.toMatchObject({ status: 404 })
})

test('ends for a container that is removed between the list and its statistics', async () => {
  const { service, id, engine } = await watched()
  const listed = await engine.containers({ all: true })
  await engine.removeContainer(id, { force: true })
  engine.containers = async () => listed
  const feed = await service.open(`/ws/stats/${id}`)
  expect(await feed.ended).toMatchObject({ code: 1000 })
  expect(feed.messages).toEqual(['{"end":{"exit_code":null}}'])
  expect(feed.closing()).toMatchObject({ code: 1000, exit_code: null })
})
