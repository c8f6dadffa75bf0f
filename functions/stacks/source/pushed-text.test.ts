import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { givenFollowed, path } from '../../../local/harness/followed-source.ts'
import { accountOf } from '../../../local/harness/sign-in.ts'
import { shop } from '../../../local/harness/world.ts'
import type { Account } from '../../core/records/account.ts'
import { builtinRoles, type Permission } from '../../core/records/permissions.ts'
import updateSource from '../../sources/update.ts'
import deploy from '../deploy.ts'
import listDeployments from '../deployments/list.ts'
import writeFile from '../file/update.ts'
import getStack from '../get.ts'
import updateStack from '../update.ts'
import get from './get.ts'

/** An admin, who made the stack's `.env` and saved the source last. */
const boss = { username: 'boss', role: 'admin' }
const follows: Permission[] = ['stacks:read', 'stacks:update', 'stacks:deploy', 'registries:manage']
const ownRoles: Record<string, Permission[]> = {
  follower: follows,
  reader: [...follows, 'stacks:secrets'],
  mighty: [...follows, 'stacks:privileged'],
}
const permissionsOf: Record<string, readonly Permission[]> = { ...builtinRoles, ...ownRoles }
/** The roles that may let a stack follow a source. */
const roles = ['admin', 'operator', 'follower', 'reader', 'mighty']

const webWith = (line: string) =>
  shop.replace('command: sleep 3600\n', `command: sleep 3600\n    ${line}\n`)

/** What is pushed, and the permission that it needs besides those of each role. */
const pushes: [name: string, text: string, needs: Permission][] = [
  ['another label', webWith('labels: {a: b}'), 'stacks:update'],
  ['privileged', webWith('privileged: true'), 'stacks:privileged'],
  ['a bind of the host', webWith('volumes: ["/etc:/x"]'), 'stacks:privileged'],
  [
    'a registry without a public name',
    shop.replaceAll('busybox:latest', 'registry.lan/team/a:1'),
    'stacks:privileged',
  ],
  ['a secret value in a label', webWith('labels: {a: "${DB_PASSWORD}"}'), 'stacks:secrets'],
]

/** A deployed stack with a secret value, and a source that an account with all rights saved. */
async function given() {
  const followed = await givenFollowed()
  const { ports, here } = followed
  for (const [id, permissions] of Object.entries(ownRoles)) {
    await ports.roles.create({ id, permissions, createdAt: 0 })
  }
  here.engine.state.registry.add('registry.lan/team/a:1')
  const env = { query: { path: '.env' }, body: { content: 'DB_PASSWORD=hunter2\n' } }
  expect((await call(writeFile, { ports, as: boss, path, ...env })).status).toBe(200)
  const deployed = await call(deploy, { ports, as: boss, path, body: {} })
  expect(deployed.json).toMatchObject({ status: 'succeeded' })
  expect((await call(updateSource, { ports, as: boss, path, body: {} })).status).toBe(200)
  return followed
}

type Given = Awaited<ReturnType<typeof given>>

/** How a text ended: its deployment, or the message of the refusal. */
type Outcome = { deployed: string } | { refused: string }

/** Types a text and deploys it, as an account. */
async function typed({ ports }: Given, as: Partial<Account>, compose: string): Promise<Outcome> {
  const saved = await call(updateStack, { ports, as, path, body: { compose } })
  if (saved.status !== 200) return { refused: saved.json.error }
  const ended = await call(deploy, { ports, as, path, body: {} })
  return ended.status === 200 ? { deployed: ended.json.status } : { refused: ended.json.error }
}

const stateOf = async ({ ports }: Given) => (await call(get, { ports, as: boss, path })).json
const composeOf = async ({ ports }: Given): Promise<string> =>
  (await call(getStack, { ports, as: boss, path })).json.compose
const followed = async ({ ports }: Given): Promise<{ status: string; by: string }[]> =>
  (await call(listDeployments, { ports, as: boss, path })).json.filter(
    ({ cause }: { cause: string | null }) => cause === 'source',
  )

/** Pushes a text to the source, which a stack follows with the rights of an account. */
async function pushed(here: Given, as: Partial<Account>, compose: string): Promise<Outcome> {
  expect((await here.bind({}, as)).status).toBe(200)
  here.publish('r2', { 'compose.yaml': compose })
  await here.run()
  const { last_error: error } = await stateOf(here)
  if (error) return { refused: error.message }
  return { deployed: present((await followed(here))[0]).status }
}

const cases = roles.flatMap((role) =>
  pushes.map(([name, text, needs]) => ({ role, name, text, needs })),
)

test.each(cases)('$name, pushed and typed by the role $role, end alike', async (one) => {
  const { role, text, needs } = one
  const as = { username: 'ann', role }
  const [push, type] = [await given(), await given()]
  const outcome = await pushed(push, as, text)
  expect(outcome).toEqual(await typed(type, as, text))
  const may = present(permissionsOf[role]).includes(needs)
  expect(outcome).toEqual(
    may ? { deployed: 'succeeded' } : { refused: expect.stringContaining(needs) },
  )
  const { last_error: error } = await stateOf(push)
  expect(error?.reason).toBe(may ? undefined : 'policy')
  expect([await composeOf(push), await composeOf(type)]).toEqual(may ? [text, text] : [shop, shop])
  expect((await followed(push)).map(({ by }) => by)).toEqual(may ? ['ann'] : [])
})

test.each([
  ['follower', false],
  ['reader', true],
])('a pushed .env has a known label show a kept value only for the role %s', async (role, may) => {
  const here = await given()
  const { ports } = here
  const as = { username: 'ann', role }
  const compose = webWith('labels: {a: "${PUBLIC}"}')
  const own = { compose, env: 'PUBLIC=1\nDB_PASSWORD=hunter2\n' }
  expect((await call(updateStack, { ports, as: boss, path, body: own })).status).toBe(200)
  expect((await here.bind({}, as)).status).toBe(200)
  here.publish('r2', { 'compose.yaml': compose, '.env': 'PUBLIC=1\n' })
  await here.run()
  expect(await stateOf(here)).toMatchObject({ last_error: null, synced: { revision: 'r2' } })
  here.publish('r3', { 'compose.yaml': compose, '.env': 'DB_PASSWORD=x\nPUBLIC=$DB_PASSWORD\n' })
  await here.run()
  const { last_error: error } = await stateOf(here)
  const message = expect.stringContaining('stacks:secrets')
  expect(error).toEqual(may ? null : expect.objectContaining({ reason: 'policy', message }))
  const { env } = (await call(getStack, { ports, as: boss, path })).json
  expect(env).toBe(may ? 'DB_PASSWORD=hunter2\nPUBLIC=$DB_PASSWORD\n' : own.env)
})

test('403: a viewer neither types nor lets a stack follow', async () => {
  const here = await given()
  const { ports } = here
  const as = { username: 'vera', role: 'viewer' }
  expect((await here.bind({}, as)).status).toBe(403)
  const body = { compose: webWith('labels: {a: b}') }
  expect((await call(updateStack, { ports, as, path, body })).status).toBe(403)
})

/** Gives the host of the stack a tag. */
async function tagHost({ ports }: Given, tag: string) {
  const host = present(await ports.hosts.find('local'))
  expect(await ports.hosts.replace({ ...host, tags: [tag] })).toBeDefined()
}

async function change({ ports }: Given, as: Partial<Account>, to: Partial<Account>) {
  await ports.accounts.replace({ ...(await accountOf(ports, as)), ...to })
}

/** Pushes a text that any role may use, and expects that it is not taken. */
async function expectBlocked(here: Given, why: string) {
  const before = [await composeOf(here), (await followed(here)).length]
  here.publish('r3', { 'compose.yaml': webWith('labels: {a: c}') })
  await here.run()
  expect((await stateOf(here)).last_error).toMatchObject({
    reason: 'blocked',
    message: expect.stringContaining(why),
  })
  expect([await composeOf(here), (await followed(here)).length]).toEqual(before)
  const { rows } = await here.ports.audit.list({ action: 'stacks.source.block', limit: 9 })
  expect(rows).toHaveLength(1)
}

const scopes = roles.flatMap((role) => [
  { role, tag: 'lab', where: 'the host' },
  { role, tag: 'attic', where: 'another host' },
])

test.each(scopes)('the role $role, limited to $where, follows no source', async ({ role, tag }) => {
  const here = await given()
  await tagHost(here, 'lab')
  const limited = { username: 'lea', role, scopeTags: [tag] }
  expect((await here.bind({}, limited)).status).toBe(403)
  // Sources send credentials that all hosts share, so a limit that comes later ends it too.
  const ann = { username: 'ann', role }
  const plain = webWith('labels: {a: b}')
  expect(await pushed(here, ann, plain)).toEqual({ deployed: 'succeeded' })
  await change(here, ann, { scopeTags: [tag] })
  await expectBlocked(here, 'registries:manage on every host')
})

test.each(roles)('nothing is taken once the account of the role %s is disabled', async (role) => {
  const here = await given()
  const ann = { username: 'ann', role }
  const plain = webWith('labels: {a: b}')
  expect(await pushed(here, ann, plain)).toEqual({ deployed: 'succeeded' })
  await change(here, ann, { disabled: true })
  await expectBlocked(here, 'ann is disabled')
})

test('a path that no stack may have is what the source has wrong, not a failure here', async () => {
  const here = await given()
  expect((await here.bind({}, { username: 'ann', role: 'operator' })).status).toBe(200)
  here.publish('r2', { 'compose.yaml': shop, 'a\\b': 'x' })
  await here.run()
  expect((await stateOf(here)).last_error).toMatchObject({
    reason: 'malformed',
    message: expect.stringContaining('this path'),
  })
})
