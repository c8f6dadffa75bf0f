import { expect, test } from 'vitest'
import { downSample, sampleOf } from '../../functions/core/metrics/history.ts'
import { recordUsage, type UsageState } from '../../functions/core/metrics/record-usage.ts'
import { clientWorld, stackOf } from '../../local/harness/client.ts'

test('0: the past usage of a container and of a host, of which not all is known', async () => {
  await using world = await clientWorld()
  const { engine, ports } = world
  await world.login()
  await stackOf(world, 'shop', 'services: {web: {image: busybox:latest, command: sleep 9}}')
  const figures = { cpuPercent: 12.5, memory: 1024, memoryTotal: 4096, disk: 1000, diskTotal: 8000 }
  const begin = ports.clock.now()
  for (const cpuPercent of [null, 50]) {
    engine.state.usage.set('shop-web-1', { cpuPercent })
    const containers = await engine.sample(new AbortController().signal)
    await ports.metricHistory.add('local', sampleOf(ports.clock.now(), containers, figures))
    ports.clock.advance(15_000)
  }
  await ports.metricHistory.add('local', downSample(ports.clock.now()))
  const since = new Date(begin + 15_000).toISOString()
  const container = (await world.cli('containers metrics shop-web-1')).out.trim().split('\n')
  expect(container[0]).toMatch(/^TIME +CPU % +MEMORY +MEM % +NET I\/O +BLOCK I\/O +PIDS$/)
  expect(container[1]).toMatch(/Z +- +10 MiB +10\.00% +1\.0 kB \/ 2\.0 kB +4\.1 kB \/ 8\.2 kB +1$/)
  expect(container[2]).toMatch(/Z +50\.00% +10 MiB /)
  const newer = await world.cli(`containers metrics shop-web-1 --since ${since}`)
  expect(newer.out.trim().split('\n')).toHaveLength(2)
  const host = (await world.cli('hosts metrics Cellar')).out.trim().split('\n')
  expect(host[0]).toMatch(/^TIME +ONLINE +CPU % +MEMORY +MEM % +DISK +DISK % +CONTAINERS$/)
  expect(host[1]).toMatch(/Z +yes +12\.50% +1\.0 KiB +25\.00% +1\.0 kB +12\.50% +1\/1$/)
  expect(host[3]).toMatch(/Z +no +- +- +- +- +- +0\/0$/)
  expect((await world.cli('containers metrics nope')).code).toBe(1)
  expect((await world.cli('hosts metrics nope')).code).toBe(1)
  expect((await world.cli('hosts metrics local --since 5x')).code).toBe(2)
})

test('0: the history of a container and of a host, with means and largest values', async () => {
  await using world = await clientWorld()
  const { engine, ports } = world
  await world.login()
  await stackOf(world, 'shop', 'services: {web: {image: busybox:latest, command: sleep 9}}')
  const figures = { cpuPercent: 12.5, memory: 1024, memoryTotal: 4096, disk: 1000, diskTotal: 8000 }
  let state: UsageState | undefined
  for (const cpuPercent of [10, 50, 90]) {
    engine.state.usage.set('shop-web-1', { cpuPercent })
    const containers = await engine.sample(new AbortController().signal)
    const sample = { at: ports.clock.now(), found: { containers, figures }, longestGap: 60_000 }
    state = await recordUsage('local', sample, state, ports)
    ports.clock.advance(60_000)
  }
  const asked = 'containers history shop-web-1 --range 1h'
  const container = (await world.cli(asked)).out.trim().split('\n')
  expect(container[0]).toMatch(/^TIME +CPU % +CPU MAX +MEMORY +MEM MAX +NET I\/O +BLOCK I\/O$/)
  expect(container[1]).toMatch(/Z +10\.00% +10\.00% +10 MiB +10 MiB +- +-$/)
  expect(container[2]).toMatch(/Z +50\.00% +50\.00% +10 MiB +10 MiB +0 B\/s \/ 0 B\/s +0 B\/s /)
  const host = (await world.cli('hosts history Cellar')).out.trim().split('\n')
  expect(host[0]).toMatch(/ DISK$/)
  expect(host).toHaveLength(2)
  expect(host[1]).toMatch(/Z +12\.50% +12\.50% +1\.0 KiB .* 1\.0 kB$/)
  expect((await world.cli('containers history nope')).code).toBe(1)
  expect((await world.cli('hosts history nope')).code).toBe(1)
  expect((await world.cli('hosts history Cellar --range 2h')).code).toBe(2)
})
