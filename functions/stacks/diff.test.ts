import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, shop, type World, world } from '../../local/harness/world.ts'
import { conflict, unprocessable } from '../core/errors.ts'
import { noInstallation } from '../core/owners/installation.ts'
import type { NewFile } from '../core/stacks/new-file.ts'
import { readTexts, type StackTexts, storeTexts } from '../core/stacks/texts.ts'
import deploy from './deploy.ts'
import diff from './diff.ts'
import rollback from './rollback.ts'
import update from './update.ts'

const path = { name: 'shop' }
const directory = '/opt/stacks/shop'

const compare = async (
  { ports }: World,
  query: Record<string, string> = {},
  as: 'admin' | 'viewer' = 'admin',
) => call(diff, { ports, as, path, query })

const file = (content: string | Uint8Array, mode = 0o644): NewFile => ({
  content: Buffer.from(content),
  mode,
})

/** Saves files of a stack as a new revision. */
async function save({ ports }: World, tree: StackTexts['tree'], rest: Partial<StackTexts> = {}) {
  const stack = present(await ports.stacks.find('shop'))
  const files = await storeTexts({ ...(await readTexts(stack.files, ports)), tree, ...rest }, ports)
  await ports.stacks.replace({ ...stack, files, contentRevision: stack.contentRevision + 1 })
}

const deploying = async ({ ports }: World) =>
  (await call(deploy, { ports, as: 'admin', path, body: {} })).json

test('200: compares what was deployed with the newest files by default', async () => {
  const here = world()
  await givenStack(here)
  expect((await compare(here)).json).toEqual([])
  const compose = shop.replace('command: sleep 3600', 'command: sleep 1')
  await call(update, { ports: here.ports, as: 'admin', path, body: { compose } })
  const { status, json } = await compare(here)
  expect(status).toBe(200)
  expect(json).toHaveLength(1)
  expect(json[0]).toMatchObject({ path: 'compose.yaml', change: 'modified', hidden: null })
  expect(json[0].diff).toContain('-    command: sleep 3600\n+    command: sleep 1\n')
})

test('200: everything is added as long as nothing was deployed', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { json } = await compare(here)
  expect(json.map(({ path, change }: Json) => [path, change])).toEqual([['compose.yaml', 'added']])
  expect(json[0].diff).toContain('new file mode 100644\n--- /dev/null\n+++ b/compose.yaml\n')
})

test('200: shows added, removed, changed and executable files, and links', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  await save(here, { a: file('a\n'), gone: file('x\n'), run: file('#!\n'), at: { link: 'a' } })
  await deploying(here)
  await save(here, { a: file('b\n'), made: file(''), run: file('#!\n', 0o755), at: { link: 'b' } })
  const { json } = await compare(here)
  expect(json.map(({ path, change }: Json) => `${change} ${path}`)).toEqual([
    'modified a',
    'modified at',
    'removed gone',
    'added made',
    'modified run',
  ])
  const texts = json.map((one: Json) => one.diff)
  expect(texts[0]).toContain('-a\n+b\n')
  expect(texts[1]).toContain('-a\n\\ No newline at end of file\n+b\n')
  expect(texts[3]).toBe('diff --git a/made b/made\nnew file mode 100644\n')
  expect(texts[4]).toBe('diff --git a/run b/run\nold mode 100644\nnew mode 100755\n')
})

test('200: files that only seed a writable directory are deployed too', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const compose =
    'services: {web: {image: "busybox:latest", command: sleep 3600, volumes: ["./data:/data"]}}'
  await save(here, { 'data/seed': file('a\n') }, { compose })
  await deploying(here)
  expect((await compare(here)).json).toEqual([])
  await save(here, { 'data/seed': file('a\n'), 'data/new': file('b\n') })
  const { json } = await compare(here)
  expect(json.map(({ path: name, change }: Json) => `${change} ${name}`)).toEqual([
    'added data/new',
  ])
})

test('200: compares revisions and deployments', async () => {
  const here = world()
  await givenStack(here)
  const first = present(await here.ports.stacks.find('shop'))
  await save(here, { a: file('1\n') })
  const { id } = await deploying(here)
  await save(here, { a: file('2\n') })
  const [one, two, three] = [1, 2, 3].map((add) => String(first.contentRevision + add - 1))
  const shown = async (from = '', to = '') => {
    const { json } = await compare(here, { from, to })
    return json.map(({ diff: text }: Json) => text.match(/^[-+]\d$/gm).join(' ')).join()
  }
  expect(await shown(one, two)).toBe('+1')
  expect(await shown(two, three)).toBe('-1 +2')
  expect(await shown(id, 'current')).toBe('-1 +2')
  expect(await shown(three, one)).toBe('-2')
})

test('200: compares revisions that were never deployed, and those of a rollback', async () => {
  const here = world()
  await givenStack(here)
  const first = present(await here.ports.deployments.listByStack('shop', 1))[0]
  const saved = async (seconds: number) => {
    const compose = shop.replace('command: sleep 3600', `command: sleep ${seconds}`)
    await call(update, { ports: here.ports, as: 'admin', path, body: { compose } })
  }
  for (const seconds of [1, 2, 3]) await saved(seconds)
  const shown = async (from: number, to: number) => {
    const { json } = await compare(here, { from: String(from), to: String(to) })
    return json.flatMap(({ diff: text }: Json) => text.match(/(?<=^[-+].*sleep )\d+$/gm))
  }
  expect(await shown(2, 3)).toEqual(['1', '2'])
  const body = { deployment_id: present(first).id }
  await call(rollback, { ports: here.ports, as: 'admin', path, body })
  expect(await shown(4, 5)).toEqual(['3', '3600'])
  expect(await shown(1, 5)).toEqual([])
})

test('200: compares with the files on the host', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  await save(here, { a: file('a\n'), b: file('b\n'), 'run.sh': file('#!\n', 0o755) })
  await deploying(here)
  here.engine.state.files.set(`${directory}/a`, { path: 'a', ...file('edited\n') })
  here.engine.state.files.delete(`${directory}/b`)
  here.engine.state.files.set(`${directory}/foreign`, { path: 'foreign', ...file('x') })
  const { json } = await compare(here, { to: 'host' })
  expect(json.map(({ path, change }: Json) => `${change} ${path}`)).toEqual([
    'modified a',
    'removed b',
  ])
  expect(json[0].diff).toBe('diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-a\n+edited\n')
  expect((await compare(here, { from: 'host', to: 'host' })).json).toEqual([])
})

test('200: without stacks:secrets secret files are named, but not shown', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const files = (text: string) => ({
    'tls.key': file(text),
    'API.ENV': file(text),
    'sub/.env.local': file(text),
    plain: file(text),
  })
  await save(here, files('one\n'), { env: 'A=1\n' })
  await deploying(here)
  await save(here, files('two\n'), { env: 'A=2\n' })
  const hidden = async (as: 'admin' | 'viewer', query = {}) => {
    const { json } = await compare(here, query, as)
    return json.map((one: Json) => `${one.path} ${one.hidden} ${one.diff !== null}`)
  }
  const names = ['.env', 'API.ENV', 'plain', 'sub/.env.local', 'tls.key']
  expect(await hidden('admin')).toEqual(names.map((name) => `${name} null true`))
  const seen = names.map((name) => `${name} ${name === 'plain' ? 'null true' : 'secret false'}`)
  expect(await hidden('viewer')).toEqual(seen)
  expect(await hidden('viewer', { to: 'host', from: 'current' })).toEqual(seen)
})

test('200: a file that one of its states marks as secret is not shown', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  await save(here, { password: file('one\n') })
  await deploying(here)
  await save(here, { password: file('two\n') })
  const marked = present(await here.ports.stacks.find('shop'))
  const { tree } = await readTexts(marked.files, here.ports)
  await save(here, { password: { ...present(tree.password), secret: true } as never })
  const { json } = await compare(here, {}, 'viewer')
  expect(json).toEqual([{ path: 'password', change: 'modified', diff: null, hidden: 'secret' }])
})

test('200: binary and large files are named, but not shown', async () => {
  const here = world()
  await givenStack(here)
  await save(here, {
    binary: file(Uint8Array.of(1, 0, 2)),
    latin: file(Uint8Array.of(0x61, 0xe9)),
    large: file('x'.repeat(1024 * 1024 + 1)),
  })
  const { json } = await compare(here)
  expect(json.map((one: Json) => `${one.path} ${one.hidden}`)).toEqual([
    'binary binary',
    'large large',
    'latin binary',
  ])
})

test('200: diffs of more than 4 MiB in all are left out, and so are those that take too long', async () => {
  const here = world()
  await givenStack(here)
  const large = (n: number) => [`f${n}`, file(`${n}`.repeat(900_000))] as const
  await save(here, Object.fromEntries([1, 2, 3, 4, 5, 6].map(large)))
  const hidden = async () => (await compare(here)).json.map((one: Json) => one.hidden)
  expect(await hidden()).toEqual([null, null, null, null, 'large', 'large'])
  here.ports.composer.diff = async () => {
    throw unprocessable('it took too long')
  }
  expect(new Set(await hidden())).toEqual(new Set(['large']))
})

test('400: a state that is none', async () => {
  const here = world()
  await givenStack(here)
  const { status, json } = await compare(here, { from: 'yesterday' })
  expect(status).toBe(400)
  expect(json.error).toContain('"yesterday" is not current, deployed, host')
})

test.each([
  ['revision', '99'],
  ['deployment', '019a0000-0000-7000-8000-000000000000'],
])('404: unknown %s', async (what, from) => {
  const here = world()
  await givenStack(here)
  const { status, json } = await compare(here, { from })
  expect(status).toBe(404)
  expect(json.error).toContain(what)
})

test('403: files of others that were not looked for yet, without stacks:privileged', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const stack = present(await here.ports.stacks.find('shop'))
  await here.ports.stacks.replace({ ...stack, mayHaveForeignFiles: true })
  here.engine.state.files.set(`${directory}/compose.yaml`, { path: 'c', ...file('theirs\n') })
  expect((await compare(here, { from: 'host' }, 'viewer')).status).toBe(403)
  expect((await compare(here, { to: 'host' }, 'viewer')).status).toBe(403)
  expect((await compare(here, { to: 'host' })).status).toBe(200)
})

test('404: unknown stack, and a deployment of another one', async () => {
  const here = world()
  expect((await compare(here)).status).toBe(404)
  await givenStack(here, 'other')
  await givenStack(here)
  const [other] = await here.ports.deployments.listByStack('other', 1)
  expect((await compare(here, { from: present(other).id })).status).toBe(404)
})

test('409: a directory of the stack on the host is a link', async () => {
  const here = world()
  await givenStack(here)
  const readFiles = async () => {
    throw conflict('conf in /opt/stacks/shop is a link')
  }
  here.ports.engines.byHost.set('local', { ...here.engine, readFiles })
  expect((await compare(here, { to: 'host' })).status).toBe(409)
})

test('409: the service has files in the directory of the stack', async () => {
  const here = world()
  await givenStack(here)
  here.engine.own = { ...noInstallation, directories: [`${directory}/data`] }
  const { status, headers } = await compare(here, { from: 'current', to: 'host' })
  expect([status, headers['x-error-reason']]).toEqual([409, 'own-installation'])
})
