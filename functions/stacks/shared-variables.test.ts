import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { editor, givenEditor } from '../../local/harness/stack-files.ts'
import { world } from '../../local/harness/world.ts'
import { sweepTexts } from '../core/retention/sweep-texts.ts'
import createSet from '../variables/create.ts'
import updateSet from '../variables/update.ts'
import config from './config.ts'
import create from './create.ts'
import deploy from './deploy.ts'
import listDeployments from './deployments/list.ts'
import readFile from './file/get.ts'
import getStack from './get.ts'
import list from './list.ts'
import plan from './plan.ts'
import rollback from './rollback.ts'
import run from './services/run.ts'
import update from './update.ts'
import validate from './validate.ts'

const path = { name: 'shop' }
const compose = `services:
  web:
    image: busybox:latest
    command: sleep 60
    environment: {ZONE: "\${TZ}", PASSWORD: "\${PASSWORD:?}"}
`

/** A deployed stack that takes the set `home`. */
async function given({ env = undefined as string | undefined } = {}) {
  const here = world()
  const { ports, engine } = here
  await givenEditor(here)
  const variables = { TZ: 'Oslo', PASSWORD: 'hunter2' }
  await call(createSet, { ports, as: 'admin', body: { name: 'home', variables } })
  const body = { name: 'shop', compose, env, shared_variables: ['home'] }
  const made = await call(create, { ports, as: 'operator', body })
  expect([made.status, made.text]).toEqual([201, expect.stringContaining('"home"')])
  const deploys = async () => {
    const { json } = await call(deploy, { ports, as: 'operator', path, body: {} })
    return json.status as string
  }
  expect(await deploys()).toBe('succeeded')
  const set = (values: Record<string, string | null>) =>
    call(updateSet, { ports, as: 'admin', path: { name: 'home' }, body: { variables: values } })
  const saves = (sent: object, as: TestCaller = 'operator') =>
    call(update, { ports, as, path, body: sent })
  const stack = async () => (await call(getStack, { ports, as: 'operator', path })).json
  const variablesOf = async () => {
    const found = [...engine.state.containers.values()].find(({ name }) => name === 'shop-web-1')
    return present(found).body.Env as string[]
  }
  return { ...here, deploys, set, saves, stack, variablesOf }
}

test('200: containers get the values of now with a deploy, not before', async () => {
  const { ports, deploys, set, stack, variablesOf } = await given()
  expect(await variablesOf()).toEqual(expect.arrayContaining(['ZONE=Oslo', 'PASSWORD=hunter2']))
  expect((await stack()).variables_changed).toBe(false)
  await set({ TZ: 'Bergen' })
  expect(await stack()).toMatchObject({ variables_changed: true, revision: 1 })
  const [listed] = (await call(list, { ports, as: 'viewer' })).json
  expect([listed.shared_variables, listed.variables_changed]).toEqual([['home'], true])
  expect(await variablesOf()).toContain('ZONE=Oslo')
  const steps = (await call(plan, { ports, as: 'viewer', path, body: {} })).json
  expect(steps).toContainEqual(expect.objectContaining({ kind: 'container', action: 'recreate' }))
  expect(await deploys()).toBe('succeeded')
  expect(await variablesOf()).toContain('ZONE=Bergen')
  expect(await stack()).toMatchObject({ variables_changed: false, revision: 1 })
  expect((await call(plan, { ports, as: 'viewer', path, body: {} })).json).toEqual([])
})

test('200: .env takes precedence over a set, and a later set over an earlier one', async () => {
  const { ports, deploys, saves, variablesOf } = await given({ env: 'PASSWORD=own-$TZ\n' })
  expect(await variablesOf()).toEqual(expect.arrayContaining(['ZONE=Oslo', 'PASSWORD=own-Oslo']))
  const body = { name: 'other', variables: { TZ: 'Rome' } }
  await call(createSet, { ports, as: 'admin', body })
  expect((await saves({ shared_variables: ['home', 'other'] })).json.revision).toBe(2)
  expect(await deploys()).toBe('succeeded')
  expect(await variablesOf()).toEqual(expect.arrayContaining(['ZONE=Rome', 'PASSWORD=own-Rome']))
  const file = await call(readFile, { ports, as: 'operator', path, query: { path: '.env' } })
  expect(file.json.variables).toEqual([
    { name: 'PASSWORD', origin: 'service', covers: false, set: 'home' },
    { name: 'TZ', origin: 'shared', covers: false, set: 'other' },
  ])
})

test('200: a rollback has the values of its deployment, and the next deploy those of now', async () => {
  const { ports, deploys, set, variablesOf } = await given()
  await set({ TZ: 'Bergen' })
  await deploys()
  const { json } = await call(listDeployments, { ports, as: 'operator', path })
  const body = { deployment_id: json.at(-1).id }
  const done = await call(rollback, { ports, as: 'operator', path, body })
  expect([done.json.status, await variablesOf()]).toEqual([
    'succeeded',
    expect.arrayContaining(['ZONE=Oslo']),
  ])
  expect(await deploys()).toBe('succeeded')
  expect(await variablesOf()).toContain('ZONE=Bergen')
})

test('403: a rollback takes a set that the stack left only with stacks:secrets', async () => {
  const { ports, saves, deploys, set, stack } = await given()
  const permissions = ['stacks:read' as const, 'stacks:deploy' as const]
  await ports.roles.create({ id: 'deployer', permissions, createdAt: 0 })
  const dora = { username: 'dora', role: 'deployer' }
  const rollsBack = async (at: number, as: TestCaller) => {
    const { json } = await call(listDeployments, { ports, as: 'operator', path })
    return call(rollback, { ports, as, path, body: { deployment_id: json.at(-at).id } })
  }
  await set({ TZ: 'Bergen' })
  await deploys()
  expect((await rollsBack(1, dora)).status).toBe(200)
  await saves({ shared_variables: [], env: 'PASSWORD=x\n' })
  expect(await deploys()).toBe('succeeded')
  const refused = await rollsBack(1, dora)
  expect([refused.status, refused.json.error]).toEqual([403, expect.stringContaining('sets home')])
  expect((await stack()).shared_variables).toEqual([])
  expect((await rollsBack(1, 'operator')).status).toBe(200)
  expect((await stack()).shared_variables).toEqual(['home'])
})

test('201: a one-off has the values of the last deploy of its service', async () => {
  const { ports, engine, saves, deploys, set } = await given()
  const [, web = ''] = compose.split('services:\n')
  await saves({ compose: `${compose}${web.replace('web:', 'other:')}` })
  expect(await deploys()).toBe('succeeded')
  await set({ TZ: 'Bergen' })
  const body = { services: ['web'] }
  expect((await call(deploy, { ports, as: 'operator', path, body })).json.status).toBe('succeeded')
  const zoneOf = async (service: string) => {
    const asked = { ports, as: 'operator' as const, path: { ...path, service }, body: {} }
    const { status, json } = await call(run, asked)
    expect(status).toBe(201)
    const env = present(engine.state.containers.get(json.container_id)).body.Env as string[]
    return env.find((one) => one.startsWith('ZONE='))
  }
  expect([await zoneOf('web'), await zoneOf('other')]).toEqual(['ZONE=Bergen', 'ZONE=Oslo'])
  expect(await deploys()).toBe('succeeded')
  expect(await zoneOf('other')).toBe('ZONE=Bergen')
})

test('200: a set changes no stack that does not take it or does not name its variables', async () => {
  const { ports, set, stack, variablesOf } = await given()
  const before = await variablesOf()
  await set({ UNUSED: 'x' })
  await call(deploy, { ports, as: 'operator', path, body: {} })
  expect([await variablesOf(), (await stack()).variables_changed]).toEqual([before, false])
  const other = { name: 'other', compose: compose.replace(':?', ':-none') }
  await call(create, { ports, as: 'admin', body: other })
  const shown = await call(config, { ports, as: 'admin', path: { name: 'other' } })
  expect(shown.json.services.web.environment).toEqual({ ZONE: '', PASSWORD: 'none' })
})

test('200: the model has values only with stacks:secrets', async () => {
  const { ports } = await given()
  const open = await call(config, { ports, as: 'operator', path })
  expect(open.json.services.web.environment.PASSWORD).toBe('hunter2')
  const hidden = await call(config, { ports, as: 'viewer', path })
  expect(hidden.status).toBe(200)
  expect(hidden.text).not.toMatch(/hunter2|Oslo/)
})

test('403: taking a set needs stacks:secrets', async () => {
  const { ports, saves, stack } = await given()
  for (const names of [[], ['home']]) {
    const refused = await saves({ shared_variables: names }, editor)
    expect([refused.status, refused.json.error]).toEqual([
      403,
      'body.shared_variables exceeds your permissions: stacks:secrets',
    ])
  }
  const body = { name: 'own', compose, shared_variables: ['home'] }
  expect((await call(create, { ports, as: editor, body })).status).toBe(403)
  expect((await stack()).shared_variables).toEqual(['home'])
})

test('403: an edit without stacks:secrets shows no value of a set, also a new one', async () => {
  const { set, saves } = await given()
  const withLabel = (text: string) =>
    compose.replace('    command', `    labels: [a=${text}]\n    command`)
  const refused = await saves({ compose: withLabel('$PASSWORD') }, editor)
  expect([refused.status, refused.text]).toEqual([403, expect.not.stringContaining('hunter2')])
  await set({ LATER: 'swordfish' })
  expect((await saves({ compose: withLabel('$LATER') }, editor)).status).toBe(403)
  const used = compose.replace('${TZ}', '${LATER}')
  expect((await saves({ compose: used }, editor)).status).toBe(200)
  expect((await saves({ compose: withLabel('$PASSWORD') })).status).toBe(200)
})

/** The stack with a value in the name of its image, saved by an admin. */
async function showing(image: string, env: string) {
  const here = await given()
  const shown = compose.replace('busybox:latest', `busybox:${image}`)
  expect((await here.saves({ compose: shown, env }, 'admin')).status).toBe(200)
  return here
}

test.each<[what: string, before: string, image: string, after: string | null, status: number]>([
  ['refers to it', 'TAG=1', '${TAG}', 'TAG=$PASSWORD', 403],
  ['refers to it through others', 'TAG=1', '${TAG}', 'B=$PASSWORD\nA=$B\nTAG=x-$A', 403],
  ['refers to it before it covers it', 'TAG=1', '${TAG}', 'TAG=$PASSWORD\nPASSWORD=2', 403],
  ['refers to it by a default', 'TAG=$TZ', '$TAG', 'TAG=${TZ:-$PASSWORD}', 403],
  ['refers to another one', 'TAG=$TZ', '${TAG}', 'TAG=$PASSWORD', 403],
  ['covers it no longer', 'PASSWORD=x', '${PASSWORD}', 'A=1', 403],
  ['names it without a value', 'PASSWORD=x', '${PASSWORD}', 'PASSWORD', 403],
  ['is deleted', 'PASSWORD=x', '${PASSWORD}', null, 403],
  ['refers to what it covers', 'TAG=1', '${TAG}', 'PASSWORD=2\nTAG=$PASSWORD', 200],
  ['refers to it as before', 'TAG=$PASSWORD', '${TAG}', 'A=2\nTAG=$PASSWORD', 200],
  ['covers it', 'A=1', '${PASSWORD}', 'PASSWORD=x', 200],
  ['has another value', 'TAG=1', '${TAG}', 'TAG=2', 200],
])('an edit without stacks:secrets of a .env that %s', async (_, env, image, next, status) => {
  const { ports, saves } = await showing(image, env)
  const { status: found, text } = await saves({ env: next }, editor)
  expect([found, text]).toEqual([status, expect.not.stringContaining('hunter2')])
  const planned = await call(plan, { ports, as: 'viewer', path, body: {} })
  if (!/PASSWORD/.test(env + image)) expect(planned.text).not.toContain('hunter2')
})

test('403: neither a variable file of an include shows a value of a set', async () => {
  const content = 'services: {more: {image: "busybox:${TAG}"}}'
  const here = await given()
  const include = 'include: [{path: more.yaml, env_file: [a.env, b.env]}]\n'
  const files = {
    'more.yaml': { content },
    'a.env': { content: 'A=1' },
    'b.env': { content: 'TAG=x$A$B' },
  }
  const sent = { compose: `${include}${compose}`, env: 'B=1', files }
  expect((await here.saves(sent, 'admin')).status).toBe(200)
  for (const tried of [
    { env: 'B=$PASSWORD' },
    { files: { 'a.env': { content: 'A=$PASSWORD' } } },
    { files: { 'b.env': { content: 'TAG=$PASSWORD' } } },
  ]) {
    expect([tried, (await here.saves(tried, editor)).status]).toEqual([tried, 403])
  }
  expect((await here.saves({ env: 'B=2' }, editor)).status).toBe(200)
})

test('an edit after a set was taken or left out shows no value of others', async () => {
  const { ports, saves } = await showing('${TAG}', 'TAG=1\nLATER=1')
  const variables = { LATER: 'swordfish' }
  await call(createSet, { ports, as: 'admin', body: { name: 'later', variables } })
  expect((await saves({ shared_variables: ['home', 'later'] }, 'admin')).status).toBe(200)
  expect((await saves({ env: 'TAG=$LATER' }, editor)).status).toBe(403)
  expect((await saves({ env: 'TAG=$LATER\nLATER=2' }, editor)).status).toBe(403)
  expect((await saves({ shared_variables: ['home'] }, 'admin')).status).toBe(200)
  expect((await saves({ env: 'TAG=1$LATER' }, editor)).status).toBe(200)
})

test('200: problems of files quote no value of a set to those who may not read it', async () => {
  const { ports } = await given()
  const wrong = compose.replace('    command', '    mem_limit: "$PASSWORD"\n    command')
  const asked = { stack: 'shop', compose: wrong }
  const told = await call(validate, { ports, as: editor, body: asked })
  expect([told.status, told.text]).toEqual([200, expect.not.stringContaining('hunter2')])
  const open = await call(validate, { ports, as: 'operator', body: asked })
  expect(open.text).toContain('hunter2')
})

test('422: there is no such set for the host', async () => {
  const { ports, saves, deploys, stack } = await given()
  const refused = await saves({ shared_variables: ['home', 'none'] })
  expect([refused.status, refused.json.error]).toEqual([
    422,
    expect.stringContaining('shared_variables: there is no set none for the stacks of host '),
  ])
  const found = present(await ports.variableSets.find('home'))
  await ports.variableSets.replace({ ...found, tags: ['lab'] })
  const body = { name: 'own', compose, shared_variables: ['home'] }
  expect((await call(create, { ports, as: 'admin', body })).status).toBe(422)
  expect((await call(deploy, { ports, as: 'admin', path, body: {} })).status).toBe(422)
  expect((await call(config, { ports, as: 'admin', path })).status).toBe(422)
  // What runs is not touched, and the stack can leave the set out.
  expect((await stack()).status).toBe('running')
  const left = { shared_variables: [], env: 'TZ=Oslo\nPASSWORD=p\n' }
  expect((await saves(left)).status).toBe(200)
  expect(await deploys()).toBe('succeeded')
})

test('200: other edits keep the sets, and equal ones make no revision', async () => {
  const { set, saves, stack } = await given()
  await set({ TZ: 'Bergen' })
  expect((await saves({ compose })).json).toMatchObject({ revision: 1, variables_changed: true })
  const next = compose.replace('sleep 60', 'sleep 61')
  expect((await saves({ compose: next }, editor)).json.revision).toBe(2)
  expect((await stack()).shared_variables).toEqual(['home'])
})

test('200: a sweep of texts leaves what stacks took', async () => {
  const { ports, deploys } = await given()
  for (const _ of [1, 2, 3]) {
    ports.clock.advance(2 * 86_400_000)
    await sweepTexts(ports, new AbortController().signal)
  }
  expect(await deploys()).toBe('succeeded')
})

test('409: a deploy says what a set lets the stack use although its author may not', async () => {
  const { ports, set, saves } = await given()
  await set({ MOUNT: './data' })
  const mounting = compose.replace('    command', '    volumes: ["$MOUNT:/data"]\n    command')
  expect((await saves({ compose: mounting }, 'admin')).status).toBe(200)
  expect((await call(deploy, { ports, as: 'admin', path, body: {} })).json.status).toBe('succeeded')
  await set({ MOUNT: '/srv' })
  // The author of the value has lost the right since.
  const found = present(await ports.variableSets.find('home'))
  const mount = { value: '/srv', savedBy: { id: 'gone', name: 'gina' } }
  const variables = { ...found.variables, MOUNT: mount }
  await ports.variableSets.replace({ ...found, variables, changedAt: found.changedAt + 1 })
  const refused = await call(deploy, { ports, as: 'admin', path, body: {} })
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('gina')])
})
