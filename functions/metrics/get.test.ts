import { expect, test } from 'vitest'
import { jobRun, stackJob } from '../../adapters/testing/contract/samples.ts'
import { nameImage } from '../../adapters/testing/memory/engine-images.ts'
import { hostNameOf } from '../../adapters/testing/memory/hosts.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenContainer, givenHost, givenStack, world } from '../../local/harness/world.ts'
import { evaluateHost } from '../core/alerts/evaluate-host.ts'
import { alertRule } from '../core/alerts/rule-samples.ts'
import { type MetricFamily, prometheusText } from '../core/metrics/prometheus.ts'
import { imageLook, looked } from '../core/updates/look-samples.ts'
import get from './get.ts'

const name = hostNameOf('far')

const admin = { username: 'ada', role: 'admin' }

/**
 * Sets up two sampled hosts, one of them with a stack, and a rule that fires for their containers.
 */
async function sampled() {
  const here = world()
  const { ports } = here
  await givenStack(here)
  const far = await givenHost(here, 'far', { tags: ['lab'] })
  await givenContainer(far, 'pallet', { env: ['KEY=hidden'] })
  await ports.alertRules.create(alertRule({ threshold: 1, name: 'a "busy"\none' }))
  for (const host of await ports.hosts.list()) {
    const lease = present(await ports.leases.acquire(host.id, 'p', 60_000))
    await evaluateHost(host, lease, 15_000, ports)
  }
  return here
}

test('200: returns hosts, containers, stacks, alerts and the process in the Prometheus format', async () => {
  const { ports } = await sampled()
  const { status, headers, text } = await call(get, { ports, as: admin })
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  const lines = text.trimEnd().split('\n')
  const line = (start: string) => lines.find((one) => one.startsWith(`container_stacks_${start}`))
  expect(line(`host_up{host="${name}"`)).toBe(
    `container_stacks_host_up{host="${name}",host_id="far"} 1`,
  )
  expect(line('container_cpu_percent{host="Cellar",container="shop-db-1"')).toBe(
    'container_stacks_container_cpu_percent{host="Cellar",container="shop-db-1",stack="shop",service="db"} 12.5',
  )
  expect(line(`container_state{host="${name}"`)).toContain('state="running"} 1')
  expect(line('stack_deployed')).toBe(
    'container_stacks_stack_deployed{stack="shop",host_id="local"} 1',
  )
  expect(line('alert{')).toContain('{rule="a \\"busy\\"\\none",')
  expect(line('http_requests_total')).toBe(
    'container_stacks_http_requests_total{method="GET",route="/me",status="200"} 2',
  )
  expect(line('ignored_errors_total')).toBe(
    'container_stacks_ignored_errors_total{work="release a lease"} 3',
  )
  expect(line('process_resident_memory_bytes')).toMatch(/ 80000000$/)
  expect(line('service_disk_free_bytes')).toBe('container_stacks_service_disk_free_bytes 6000')
  expect(line('service_disk_total_bytes')).toBe('container_stacks_service_disk_total_bytes 10000')
  for (const one of lines) {
    expect(one).toMatch(
      /^# (HELP|TYPE) [a-z_]+ .+$|^[a-z_]+(\{([a-z_]+="([^"\\\n]|\\["\\n])*",?)+\})? -?[\d.e+-]+$/,
    )
  }
  expect(text).not.toContain('hidden')
})

test('200: omits the disk of the service if its usage is unknown', async () => {
  const { ports } = await sampled()
  ports.selfCheck.disk = async () => undefined
  const { status, text } = await call(get, { ports, as: admin })
  expect([status, text.includes('service_disk')]).toEqual([200, false])
})

test('200: includes only hosts in scope; an offline host is down and delays nothing', async () => {
  const { ports } = await sampled()
  const as = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  const { text } = await call(get, { ports, as })
  expect(text).toContain('pallet')
  expect(text).not.toContain('shop')
  const far = present(await ports.hosts.find('far'))
  ports.engines.byHost.delete('far')
  const lease = present(await ports.leases.acquire('far', 'p', 60_000))
  ports.clock.advance(1000)
  await evaluateHost(far, lease, 15_000, ports)
  expect((await call(get, { ports, as })).text).toContain(`host_up{host="${name}",host_id="far"} 0`)
})

test('200: counts the services with a newer image without asking a registry', async () => {
  const here = world()
  const { ports } = here
  const far = await givenHost(here, 'far', { tags: ['lab'] })
  const engines = { local: here.engine, far: far.engine }
  const compose = (image: string) => `services: {web: {image: "${image}", command: sleep 60}}`
  const deployed = async (host: 'local' | 'far', stack: string, tag: number) => {
    const { state } = engines[host]
    nameImage(state, `nginx:${tag}`, `sha256:${tag}a`)
    nameImage(state, `nginx@sha256:${String(tag).repeat(64)}`, `sha256:${tag}a`)
    await givenStack(here, stack, { host, compose: compose(`nginx:${tag}`) })
  }
  await deployed('local', 'shop', 2)
  await deployed('local', 'blog', 3)
  await deployed('local', 'new', 4)
  await deployed('far', 'wiki', 2)
  const tagName = (tag: number) => `docker.io/library/nginx:${tag}`
  await ports.imageLooks.create(imageLook(tagName(2), ['sha256:2a']))
  const problem = { kind: 'failed' as const, text: 'no route' }
  await ports.imageLooks.create(imageLook(tagName(3), [], { problem, checkedAt: looked + 30_000 }))
  const text = async (as: object) => (await call(get, { ports, as: { ...admin, ...as } })).text
  const series = (all: string) =>
    all.split('\n').filter((line) => /^container_stacks_update/.test(line))
  expect(series(await text({}))).toEqual([
    `container_stacks_updates_available{host="${name}",stack="wiki"} 1`,
    'container_stacks_updates_available{host="Cellar",stack="shop"} 1',
    `container_stacks_update_checks_failing{host="${name}",stack="wiki"} 0`,
    'container_stacks_update_checks_failing{host="Cellar",stack="blog"} 1',
    'container_stacks_update_checks_failing{host="Cellar",stack="shop"} 0',
    `container_stacks_updates_checked_timestamp_seconds ${looked / 1000 + 30}`,
  ])
  const scoped = { username: 'lab', scopeTags: ['lab'] }
  expect(series(await text(scoped))).toEqual([
    `container_stacks_updates_available{host="${name}",stack="wiki"} 1`,
    `container_stacks_update_checks_failing{host="${name}",stack="wiki"} 0`,
    `container_stacks_updates_checked_timestamp_seconds ${looked / 1000}`,
  ])
  far.off()
  expect(series(await text(scoped))).toEqual([])
  expect(ports.imageRegistry.requests).toEqual([])
})

test('200: has how the jobs of the stacks in scope ended, and when they run next', async () => {
  const { ports } = await sampled()
  const { stackJobs, stacks } = ports
  const { createdAt } = present(await stacks.find('shop'))
  await stackJobs.create({
    ...stackJob('shop', 'nightly', createdAt),
    nextRunAt: 60_000,
    runs: [jobRun('r2', 'running'), jobRun('r1', 'failed')],
  })
  await stackJobs.create(stackJob('gone', 'nightly', createdAt))
  // It is of an earlier stack with that name.
  await stackJobs.create(stackJob('shop', 'weekly', createdAt - 1))
  const jobsOf = async (as: object) =>
    (await call(get, { ports, as: { ...admin, ...as } })).text
      .split('\n')
      .filter((line) => line.startsWith('container_stacks_job_'))
  const labels = '{stack="shop",job="nightly",host_id="local"}'
  expect(await jobsOf({})).toEqual([
    `container_stacks_job_last_failed${labels} 1`,
    `container_stacks_job_last_end_timestamp_seconds${labels} 0.002`,
    `container_stacks_job_next_run_timestamp_seconds${labels} 60`,
    `container_stacks_job_blocked${labels} 0`,
  ])
  expect(await jobsOf({ username: 'lab', scopeTags: ['lab'] })).toEqual([])
})

test('omits unknown values and escapes labels', () => {
  const values: MetricFamily['values'] = [
    { labels: { a: 'x\\y"z\nw', b: null }, value: 1 },
    { labels: { a: 'none' }, value: null },
    { labels: { a: 'wrong' }, value: Number.NaN },
  ]
  const family = { name: 'one', type: 'gauge' as const, help: 'One', values }
  const empty = { name: 'none', type: 'gauge' as const, help: 'None', values: [] }
  expect(prometheusText('p_', [family, empty])).toBe(
    '# HELP p_one One\n# TYPE p_one gauge\np_one{a="x\\\\y\\"z\\nw"} 1\n',
  )
})
