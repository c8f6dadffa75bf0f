import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import deploy from './deploy.ts'
import plan from './plan.ts'
import rollback from './rollback.ts'
import update from './update.ts'

const path = { name: 'shop' }
const compose = `services:
  web:
    image: busybox:latest
    command: sleep 3600
    volumes: [./web.conf:/etc/web.conf, ./current:/etc/current:ro, ./pages:/pages:ro]
    secrets: [key]
  other:
    image: busybox:latest
    command: sleep 3600
    environment: {LEVEL: "\${LEVEL:-1}"}
    volumes: ["./web.conf:/c"]
secrets: {key: {file: key.txt}}
`

async function save({ ports }: World, files: Json): Promise<void> {
  const { status, json } = await call(update, { ports, as: 'admin', path, body: { files } })
  expect({ status, error: json.error }).toMatchObject({ status: 200 })
}

async function given(): Promise<World> {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const contents = { 'web.conf': 'a', 'key.txt': 'a', 'a.conf': 'a', 'pages/x': 'a' }
  const files = Object.entries(contents).map(([name, content]) => [name, { content }])
  await save(here, {
    ...Object.fromEntries(files),
    'compose.yaml': { content: compose },
    current: { link: 'a.conf' },
  })
  expect(await deploys(here)).toEqual([])
  return here
}

/** Deploys the stack and returns the warnings. */
async function deploys({ ports }: World, body: Json = {}): Promise<string[]> {
  const { json } = await call(deploy, { ports, as: 'admin', path, body })
  expect(json.status).toBe('succeeded')
  return json.warnings
}

const planned = async ({ ports }: World) =>
  (await call(plan, { ports, as: 'viewer', path, body: {} })).json

test('200: names services that keep a mounted file that a deploy replaces', async () => {
  const here = await given()
  await save(here, { 'web.conf': { content: 'b' }, 'key.txt': { content: 'b' } })
  const texts = [
    'service other sees the old ./web.conf until it is restarted',
    'service web sees the old ./web.conf, ./key.txt until it is restarted',
  ]
  const warnings = (await planned(here)).filter(({ action }: Json) => action === 'warning')
  expect(warnings).toEqual([
    { action: 'warning', kind: 'service', name: 'other', reason: texts[0] },
    { action: 'warning', kind: 'service', name: 'web', reason: texts[1] },
  ])
  expect(await deploys(here)).toEqual(texts)
  expect(await deploys(here)).toEqual([])
  const first = (await here.ports.deployments.listByStack('shop', 10)).at(-1)
  const body = { deployment_id: present(first).id }
  const back = await call(rollback, { ports: here.ports, as: 'admin', path, body })
  expect(back.json.warnings).toEqual(texts)
})

test('200: follows a link of the stack, and also names a link that leads elsewhere', async () => {
  const here = await given()
  const text = 'service web sees the old ./current until it is restarted'
  await save(here, { 'a.conf': { content: 'b' } })
  expect(await deploys(here)).toEqual([text])
  await save(here, { current: { link: 'pages/x' } })
  expect(await deploys(here)).toEqual([text])
})

test('200: names no service whose containers the deploy replaces, or that has the directory', async () => {
  const here = await given()
  await save(here, { 'pages/x': { content: 'b' } })
  expect(await deploys(here)).toEqual([])
  await save(here, { 'web.conf': { content: 'b' }, '.env': { content: 'LEVEL=2' } })
  expect(await deploys(here)).toEqual(['service web sees the old ./web.conf until it is restarted'])
  await save(here, { 'web.conf': { content: 'c' } })
  expect(await deploys(here, { force_recreate: true })).toEqual([])
})
