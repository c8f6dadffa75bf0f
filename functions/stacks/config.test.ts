import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import config from './config.ts'
import create from './create.ts'

const path = { name: 'shop' }

const compose = `services:
  web:
    image: "nginx:\${TAG:-1}"
    command: [sh, -c, "echo \${PASSWORD} $$HOME"]
    ports: ["\${PORT}:80", "9000:9000"]
    environment: {KEY: "\${PASSWORD:?set it}", PLAIN: a, PASSWORD: null}
    labels: ["token=\${PASSWORD}"]
    mem_limit: \${MEMORY}
    healthcheck: {test: [CMD, "true"], interval: "\${EVERY}", retries: 3}
    scale: \${COUNT}
    volumes: ["\${DATA:-./data}:/data", "./conf:/conf"]
    extra_hosts: ["\${DB_HOST:-a:b}:10.0.0.1"]
    configs: [site]
configs:
  site: {content: "key \${PASSWORD}"}
`
const env =
  'TAG=2\nPASSWORD=hunter2\nPORT=8080\nMEMORY=64m\nEVERY=30s\nCOUNT=2\nDATA=./data\nDB_HOST=db\n'

async function given(here: World, more: object = {}) {
  const body = { name: 'shop', compose, env, ...more }
  const { status, text } = await call(create, { ports: here.ports, as: 'admin', body })
  if (status !== 201) throw new Error(text)
}

test('200: the model as docker compose shows it, with values', async () => {
  const here = world()
  await given(here)
  const { json } = await call(config, { ports: here.ports, as: 'operator', path })
  expect(json).toMatchObject({
    name: 'shop',
    services: {
      web: {
        image: 'nginx:2',
        command: ['sh', '-c', 'echo hunter2 $$HOME'],
        environment: { KEY: 'hunter2', PASSWORD: 'hunter2', PLAIN: 'a' },
        healthcheck: { interval: '30s', retries: 3 },
        labels: { token: 'hunter2' },
        mem_limit: '67108864',
        scale: 2,
      },
    },
    networks: { default: { name: 'shop_default' } },
  })
  expect(json.services.web.ports[0]).toMatchObject({ published: '8080', target: 80 })
})

test('200: without stacks:secrets, expressions stay as they are written', async () => {
  const here = world()
  await given(here)
  const { json, text } = await call(config, { ports: here.ports, as: 'viewer', path })
  expect(text).not.toMatch(/hunter2|8080|67108864|hidden\d/)
  const { web } = json.services
  expect(web).toMatchObject({
    image: 'nginx:${TAG:-1}',
    command: ['sh', '-c', 'echo ${PASSWORD} $$HOME'],
    environment: { KEY: '${PASSWORD:?set it}', PASSWORD: null, PLAIN: 'a' },
    extra_hosts: ['${DB_HOST:-a:b}=10.0.0.1'],
    healthcheck: { test: ['CMD', 'true'], interval: '${EVERY}', retries: 3 },
    labels: { token: '${PASSWORD}' },
    mem_limit: '${MEMORY}',
    scale: '${COUNT}',
  })
  expect(web.ports).toEqual([
    '${PORT}:80',
    expect.objectContaining({ published: '9000', target: 9000 }),
  ])
  expect(web.volumes).toEqual([
    '${DATA:-./data}:/data',
    expect.objectContaining({ type: 'bind', source: '/opt/stacks/shop/conf', target: '/conf' }),
  ])
  expect(json.configs.site).toMatchObject({ content: 'key ${PASSWORD}' })
})

test('200: the form is the same with and without values where nothing has one', async () => {
  const here = world()
  await givenStack(here, 'shop', {
    compose: 'services: {web: {image: nginx, ports: ["1:1"]}}',
    deployed: false,
  })
  const [all, hidden] = await Promise.all(
    (['admin', 'viewer'] as const).map((as) => call(config, { ports: here.ports, as, path })),
  )
  expect(hidden?.json).toEqual(all?.json)
})

test('422: the environment has no overlay', async () => {
  const here = world()
  await given(here)
  const query = { environment: 'gone' }
  const { status, json } = await call(config, { ports: here.ports, as: 'viewer', path, query })
  expect([status, json.error]).toEqual([422, expect.stringContaining('compose.gone.yaml')])
})

test('422: an include whose path has a variable cannot be resolved without its value', async () => {
  const here = world()
  const include = 'include: ["${WHICH}.yaml"]\nservices: {a: {image: a}}\n'
  const more = { compose: include, env: 'WHICH=compose.prod\n' }
  await given(here, { ...more, overlays: { prod: 'services: {b: {image: b}}' } })
  const shown = await call(config, { ports: here.ports, as: 'admin', path })
  expect(Object.keys(shown.json.services).sort()).toEqual(['a', 'b'])
  const { status, text } = await call(config, { ports: here.ports, as: 'viewer', path })
  expect([status, text]).toEqual([422, expect.stringContaining('stacks:secrets')])
  expect(text).not.toContain('prod')
})

test('200: the overlay of an environment', async () => {
  const here = world()
  await given(here, { overlays: { prod: 'services: {web: {user: "${PASSWORD}"}}' } })
  for (const [as, user] of [
    ['admin', 'hunter2'],
    ['viewer', '${PASSWORD}'],
  ] as const) {
    const query = { environment: 'prod' }
    const { json } = await call(config, { ports: here.ports, as, path, query })
    expect(json.services.web.user).toBe(user)
  }
})

test('200: profiles that .env selects are shown without values too', async () => {
  const here = world()
  const text =
    'services: {a: {image: a}, b: {image: b, profiles: [more]}, c: {image: c, profiles: [no]}}'
  await given(here, { compose: text, env: 'COMPOSE_PROFILES=more\n' })
  const { json } = await call(config, { ports: here.ports, as: 'viewer', path })
  expect(Object.keys(json.services)).toEqual(['a', 'b'])
})
