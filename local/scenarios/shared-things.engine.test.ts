import { afterAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import createStack from '../../functions/stacks/create.ts'
import deploy from '../../functions/stacks/deploy.ts'
import plan from '../../functions/stacks/plan.ts'
import remove from '../../functions/stacks/remove.ts'
import restart from '../../functions/stacks/restart.ts'
import start from '../../functions/stacks/services/start.ts'
import stop from '../../functions/stacks/services/stop.ts'
import statusOf from '../../functions/stacks/status.ts'
import update from '../../functions/stacks/update.ts'
import { call } from '../harness/call.ts'
import { realEngineWorld } from '../harness/real-engine-world.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const world = realEngineWorld()
const { ports } = world
const prefix = unique('share')
const sleeping = 'command: sleep 3600, init: true'
const busybox = `image: "busybox:latest", ${sleeping}`

afterAll(async () => {
  await removeFromEngine(prefix)
  await world.close()
})

const about = (name: string) => ({ ports, as: 'admin' as const, path: { name } })
const of = (name: string, service: string) => ({ ...about(name), path: { name, service } })

async function given(name: string, compose: string) {
  const made = await call(createStack, { ports, as: 'admin', body: { name, compose } })
  expect(made.status, made.text).toBe(201)
  return name
}

async function deployed(name: string) {
  const { json } = await call(deploy, { ...about(name), body: {} })
  expect(json, JSON.stringify(json)).toMatchObject({ status: 'succeeded' })
  return json.steps as { action: string; name: string; reason: string }[]
}

test('containers that are created at once share a new volume that the image fills', async () => {
  const image = `${prefix}filled:1`
  const maker = `${prefix}maker`
  const fill = 'for i in $(seq 400); do mkdir -p /srv/d/$i/a/b; done'
  docker('run', '--name', maker, 'busybox:latest', 'sh', '-c', fill)
  docker('commit', maker, image)
  const service = `{image: "${image}", pull_policy: never, ${sleeping}, volumes: ["filled:/srv/d"]}`
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const several = `services:\n${names.map((name) => `  ${name}: ${service}\n`).join('')}`
  const scaled = `services:\n  a: ${service.replace('{', '{scale: 6, ')}\n`
  for (const [index, services] of [several, scaled, several].entries()) {
    const name = await given(`${prefix}fill${index}`, `${services}volumes: {filled: }\n`)
    await deployed(name)
    const count = docker('exec', `${name}-a-1`, 'sh', '-c', 'ls /srv/d | wc -l')
    expect([name, count.trim()]).toEqual([name, '400'])
    await call(remove, { ...about(name), query: { volumes: 'true' } })
  }
})

test('a job that ended well under on-failure is complete: no second run, no alert', async () => {
  const name = await given(
    `${prefix}job`,
    `services:
  web: {${busybox}, restart: unless-stopped}
  migrator: {image: "busybox:latest", command: "true", restart: on-failure}
  later:
    image: busybox:latest
    command: sh -c 'test -e /kept/mark || { touch /kept/mark; exit 3; }'
    volumes: [kept:/kept]
    deploy: {restart_policy: {condition: on-failure}}
  worker: {${busybox}, depends_on: {later: {condition: service_completed_successfully}}}
volumes: {kept: }
`,
  )
  await deployed(name)
  const rows = async () =>
    (await call(statusOf, about(name))).json.map(
      (row: { service: string; service_state: string }) => [row.service, row.service_state],
    )
  const settled = await until(rows, (all) => !JSON.stringify(all).includes('starting'))
  expect(Object.fromEntries(settled)).toEqual({
    web: 'running',
    migrator: 'completed',
    later: 'completed',
    worker: 'running',
  })
  expect(await deployed(name)).toEqual([])
})

test('a service that shares the network of another is reachable after that one restarts', async () => {
  const page = `sh -c 'echo ok > index.html && exec httpd -f -p 80'`
  const name = await given(
    `${prefix}net`,
    `services:
  gw: {${busybox}, healthcheck: {test: "true", interval: 1s}}
  app:
    image: busybox:latest
    command: ${page}
    init: true
    network_mode: service:gw
    depends_on: {gw: {condition: service_healthy}}
`,
  )
  const answer = async () => {
    try {
      return docker('exec', `${name}-gw-1`, 'wget', '-qO-', '127.0.0.1')
    } catch {
      return 'none'
    }
  }
  const reachable = () => until(answer, (text) => text === 'ok')
  await deployed(name)
  await reachable()

  expect((await call(restart, { ...about(name), body: { services: ['gw'] } })).status).toBe(200)
  await reachable()
  expect((await call(plan, { ...about(name), body: {} })).json).toEqual([])

  for (const verb of [stop, start]) {
    expect((await call(verb, of(name, 'gw'))).json).toMatchObject({ status: 'succeeded' })
  }
  await reachable()

  docker('restart', '--time', '0', `${name}-gw-1`)
  expect(await answer()).toBe('none')
  const steps = await deployed(name)
  expect(steps.map(({ reason }) => reason)).toContain('restarts with gw')
  await reachable()
  expect((await call(plan, { ...about(name), body: {} })).json).toEqual([])
})

test('a file that is mounted alone keeps its content until a restart, as the deploy says', async () => {
  const mounts = 'volumes: ["./app.conf:/etc/app.conf:ro", "./conf:/etc/conf:ro"]'
  const name = await given(`${prefix}file`, `services: {web: {${busybox}, ${mounts}}}\n`)
  const write = async (content: string) => {
    const files = { 'app.conf': { content }, 'conf/x': { content } }
    const saved = await call(update, { ...about(name), body: { files } })
    expect(saved.status, saved.text).toBe(200)
    const { json } = await call(deploy, { ...about(name), body: {} })
    expect(json, JSON.stringify(json)).toMatchObject({ status: 'succeeded' })
    return json.warnings
  }
  const read = () => docker('exec', `${name}-web-1`, 'cat', '/etc/app.conf', '/etc/conf/x')
  expect(await write('old\n')).toEqual([])
  expect(await write('new\n')).toEqual([
    'service web sees the old ./app.conf until it is restarted',
  ])
  expect(read()).toBe('old\nnew')
  expect((await call(restart, { ...about(name), body: {} })).status).toBe(200)
  expect(read()).toBe('new\nnew')
})
