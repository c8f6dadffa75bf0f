import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import deploy from './deploy.ts'
import plan from './plan.ts'
import update from './update.ts'

/** Returns a service that publishes ports. */
const service = (key: string, ports: string[], more = '') =>
  `  ${key}: {image: "busybox:latest", command: sleep 60, ports: ${JSON.stringify(ports)}${more}}\n`

const files = (...services: string[]) => `services:\n${services.join('')}`

const ask = ({ ports }: World, body: object = {}) => ({
  ports,
  as: 'admin' as const,
  path: { name: 'shop' },
  body,
})

/** Returns a world where another stack publishes ports, and this one, which was never deployed. */
async function beside(others: string[], compose: string): Promise<World> {
  const here = world()
  await givenStack(here, 'other', { compose: files(service('a', others)) })
  await givenStack(here, 'shop', { compose, deployed: false })
  here.engine.executed.splice(0)
  return here
}

async function save(here: World, compose: string) {
  expect((await call(update, ask(here, { compose }))).status).toBe(200)
}

/** Returns the lines of the refusal, without the places. Empty: it is not refused. */
async function refusals(here: World, body: object = {}): Promise<string[]> {
  const planned = await call(plan, ask(here, body))
  if (planned.status === 200) return []
  const deployed = await call(deploy, ask(here, body))
  expect([deployed.status, deployed.json.error]).toEqual([409, planned.json.error])
  expect(here.engine.executed).toEqual([])
  return planned.json.error
    .split('\n')
    .map((line: string) => line.replace(/^compose\.yaml:\d+:\d+: /, ''))
}

test.each([
  [['8099:80'], '8099:81'],
  [['8099:80'], '127.0.0.1:8099:80'],
  [['0.0.0.0:8099:80'], '127.0.0.1:8099:80'],
  [['127.0.0.1:8099:80'], '0.0.0.0:8099:80'],
  [['[::1]:8099:80'], '[::]:8099:80'],
  [['[::1]:8099:80'], '[0:0::1]:8099:80'],
  [['8099:80/udp'], '8099:80/udp'],
  [['8099:80/sctp'], '8099:81/sctp'],
  [['8095-8099:95-99'], '8099:80'],
  [['8099:80'], '8095-8099:95-99'],
  [['8098:80', '8099:81'], '8098-8099:80'],
])('409: %j of another stack leaves no port for %j', async (others, port) => {
  const here = await beside(others, files(service('web', [port])))
  const lines = await refusals(here)
  expect(lines).toEqual([
    expect.stringMatching(
      /^services\.web\.ports\[\d\]: port \S+ of the host is taken by container other-a-1 of stack other: stop or remove that one, or choose another port$/,
    ),
  ])
})

test.each([
  [['127.0.0.1:8099:80'], '127.0.0.2:8099:80'],
  [['127.0.0.1:8099:80'], '[::1]:8099:80'],
  [['127.0.0.1:8099:80'], '[::]:8099:80'],
  [['0.0.0.0:8099:80'], '[::]:8099:80'],
  [['8099:80'], '8099:80/udp'],
  [['8099:80/udp'], '8099:80'],
  [['8098:80'], '8098-8099:80'],
  [['8099:80'], '80'],
  [['8099:80'], '127.0.0.1::80'],
])('200: %j of another stack leaves a port for %j', async (others, port) => {
  expect(await refusals(await beside(others, files(service('web', [port]))))).toEqual([])
})

test('409: names each port and service at once', async () => {
  const compose = files(service('web', ['8098:1', '8099:2']), service('db', ['8099:3/udp']))
  const lines = await refusals(await beside(['8097-8099:97-99', '8099:3/udp'], compose))
  expect(lines.map((line) => line.split(' of the host')[0])).toEqual([
    'services.web.ports[0]: port 8098',
    'services.web.ports[1]: port 8099',
    'services.db.ports[0]: port 8099/udp',
  ])
})

test('409: two services of one file publish one port; a job may leave it to another one', async () => {
  const here = world()
  const compose = files(service('a', ['8099:80']), service('b', ['127.0.0.1:8099:80']))
  await givenStack(here, 'shop', { compose, deployed: false })
  expect(await refusals(here)).toEqual([
    expect.stringMatching(
      /^services\.\w\.ports\[0\]: port \S+ of the host is needed by service \w too: only one can have it$/,
    ),
  ])
  expect(await refusals(here, { services: ['a'] })).toEqual([])
  const after = world()
  const waits = ', depends_on: {a: {condition: service_completed_successfully}}'
  const jobs = files(service('a', ['8099:80']), service('b', ['8099:80'], waits))
  await givenStack(after, 'shop', { compose: jobs, deployed: false })
  expect(await refusals(after)).toEqual([])
})

test('409: entries of one service need one port; 200: of the two families of addresses', async () => {
  const given = async (ports: string[]) => {
    const here = world()
    await givenStack(here, 'shop', { compose: files(service('web', ports)), deployed: false })
    return refusals(here)
  }
  expect(await given(['127.0.0.1:8099:80', '8099:81'])).toEqual([
    'services.web.ports[1]: port 8099 of the host is needed by another entry of the service too: only one can have it',
  ])
  expect(await given(['0.0.0.0:8099:80', '[::]:8099:80'])).toEqual([])
  expect(await given(['8099:80', '[::]:8099:80', '8099:80/udp'])).toEqual([])
})

test('409: a second container of a service cannot have its port; a range is enough for both', async () => {
  const here = world()
  const compose = files(service('web', ['8099:80'], ', scale: 2'))
  await givenStack(here, 'shop', { compose, deployed: false })
  expect(await refusals(here)).toEqual([
    'services.web.ports[0]: port 8099 of the host is needed by another container of the service too: only one can have it',
  ])
  const ranged = world()
  const range = files(service('web', ['8098-8099:80'], ', scale: 2'))
  await givenStack(ranged, 'shop', { compose: range, deployed: false })
  expect(await refusals(ranged)).toEqual([])
})

test('409: a service that the deploy leaves out has the port; both together are deployed', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose: files(service('a', ['8098:80']), service('b', [])) })
  const compose = files(service('a', ['8097:80']), service('b', ['8098:80']))
  await save(here, compose)
  here.engine.executed.splice(0)
  expect(await refusals(here, { services: ['b'] })).toEqual([
    'services.b.ports[0]: port 8098 of the host is taken by container shop-a-1 of service a: deploy service a too, or stop it first',
  ])
  const { json } = await call(deploy, ask(here))
  expect([json.status, json.error]).toEqual(['succeeded', null])
})

test('409: a service whose profile is not active has the port', async () => {
  const here = world()
  const debug = service('debug', ['8099:80'], ', profiles: [debug]')
  await givenStack(here, 'shop', { compose: files(debug, service('web', ['80'])) })
  await call(deploy, ask(here, { profiles: ['debug'] }))
  await save(here, files(debug, service('web', ['8099:80'])))
  here.engine.executed.splice(0)
  expect(await refusals(here, { profiles: [] })).toEqual([
    'services.web.ports[0]: port 8099 of the host is taken by container shop-debug-1 of service debug: none of its profiles is active: stop it first',
  ])
})
