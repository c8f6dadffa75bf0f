import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { clientWorld } from '../../../local/harness/client.ts'

const plain = 'services:\n  web:\n    image: busybox:latest\n'
const privileged = `${plain}    privileged: true\n`

/** Starts the service with a stack of these files, saved by its admin. */
async function withStack(name: string, files: Record<string, string>) {
  const world = await clientWorld()
  await world.login()
  await save(world, name, files)
  return world
}

async function save(
  world: Awaited<ReturnType<typeof clientWorld>>,
  name: string,
  files: Record<string, string>,
) {
  const cwd = join(world.home, name)
  await mkdir(cwd, { recursive: true })
  for (const [file, text] of Object.entries(files)) await writeFile(join(cwd, file), text)
  const ended = await world.cli(`stacks create ${name}`, { cwd })
  if (ended.code !== 0) throw new Error(ended.err)
}

test('0: every stack passes, and only --all shows them', async () => {
  await using world = await withStack('shop', { 'compose.yaml': plain })
  expect(await world.cli('stacks check')).toEqual({
    code: 0,
    out: '',
    err: '1 ok, 0 refused, 0 unknown\n',
  })
  expect((await world.cli('stacks check --all')).out).toMatch(/^shop +- +ok +-$/m)
})

test('1: names the line and the attribute that is refused', async () => {
  await using world = await withStack('shop', { 'compose.yaml': privileged })
  const { code, out, err } = await world.cli('stacks check')
  expect(code).toBe(1)
  expect(out).toMatch(
    /^shop +- +refused +compose\.yaml:4:5: services\.web\.privileged: a privileged container: this needs the permission stacks:privileged$/m,
  )
  expect(err).toContain('0 ok, 1 refused, 0 unknown; change the named parts')
})

test('1: an overlay is judged alone, with the values of .env', async () => {
  await using world = await withStack('shop', {
    'compose.yaml': plain,
    '.env': 'SCORE=-500\n',
    'compose.prod.yaml': 'services:\n  web:\n    oom_score_adj: $' + '{SCORE}\n',
  })
  const { code, out } = await world.cli('stacks check shop --output json')
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject([
    {
      stack: 'shop',
      host: 'local',
      result: 'refused',
      environments: [
        { environment: null, result: 'ok', reason: null },
        {
          environment: 'prod',
          result: 'refused',
          reason: expect.stringContaining('compose.prod.yaml:3:5: services.web.oom_score_adj: '),
        },
      ],
    },
  ])
})

test('0: reports a stack as unknown if the API does not return its files', async () => {
  await using world = await withStack('shop', { 'compose.yaml': plain })
  const { texts, stacks } = world.ports
  const found = present(await stacks.find('shop'))
  const compose = await texts.put('include: [more.yaml]')
  const more = await texts.put(plain)
  const files = { ...found.files, compose, others: { 'more.yaml': more } }
  await stacks.replace({ ...found, files })
  const { code, out, err } = await world.cli('stacks check')
  expect(code).toBe(0)
  expect(out).toMatch(/^shop +- +unknown +compose\.yaml:1:11: .*the stack has no file more\.yaml$/m)
  expect(err).toContain('shop: not checked: 1 other files')
})

test('0: notes that owners are not checked', async () => {
  const compose = `${plain}volumes: { v: { name: other, external: true } }\n`
  await using world = await withStack('shop', { 'compose.yaml': compose })
  const { code, err } = await world.cli('stacks check')
  expect(code).toBe(0)
  expect(err).toContain('shop: not checked: the owners of the volumes')
})

test('0: selects stacks by name; 1: an unknown name', async () => {
  await using world = await withStack('shop', { 'compose.yaml': privileged })
  await save(world, 'blog', { 'compose.yaml': plain })
  expect(await world.cli('stacks check blog')).toMatchObject({ code: 0 })
  expect(await world.cli('stacks check other')).toMatchObject({ code: 1, out: '' })
})

test('1: also refuses a stack that cannot be loaded at all', async () => {
  await using world = await withStack('shop', { 'compose.yaml': plain })
  const { texts, stacks } = world.ports
  const found = present(await stacks.find('shop'))
  const compose = await texts.put(`${plain}    scale: 100000000\n`)
  await stacks.replace({ ...found, files: { ...found.files, compose } })
  const { code, out } = await world.cli('stacks check')
  expect([code, out]).toEqual([1, expect.stringMatching(/^shop +- +refused +.*scale/m)])
})

test('0: accepts registries that the service allows', async () => {
  const compose = 'services:\n  web:\n    image: localhost:5000/web\n'
  await using world = await withStack('shop', { 'compose.yaml': compose })
  expect((await world.cli('stacks check')).out).toMatch(/refused +.*services\.web\.image/)
  expect(await world.cli('settings set registry.allow localhost:5000')).toMatchObject({ code: 0 })
  expect(await world.cli('stacks check')).toMatchObject({ code: 0, out: '' })
})

test('0: notes that allowed registries are not checked without the permissions', async () => {
  await using world = await withStack('shop', { 'compose.yaml': plain })
  const password = 'another horse battery'
  const added = await world.cli('users create bob --role viewer', { stdin: password })
  expect(added.err).toBe('')
  await world.cli(['login', world.server, '--user', 'bob'], { stdin: password })
  const { code, err } = await world.cli('stacks check')
  expect(code).toBe(0)
  expect(err).toContain('not checked: the allowed registries')
})
