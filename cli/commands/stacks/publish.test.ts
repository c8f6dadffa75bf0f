import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientWorld } from '../../../local/harness/client.ts'

const reference = 'registry.example.org/team/shop:1.0'
const plain = 'services: {web: {image: nginx}}\n'
const telling = `services:
  web:
    image: nginx
    environment: {DB_PASSWORD: hunter2}
    volumes: ["./site:/srv"]
`

async function withShop(compose = plain) {
  const world = await clientWorld()
  await world.login()
  const file = join(world.home, 'compose.yaml')
  await writeFile(file, compose)
  const made = await world.cli(['stacks', 'create', 'shop', '--file', file])
  if (made.code !== 0) throw new Error(made.err)
  return world
}

test('0: publishes without a question if there is nothing to accept', async () => {
  await using world = await withShop()
  const { code, out, err } = await world.cli(`stacks publish shop ${reference}`)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(
    /^compose\.yaml \(application\/vnd\.docker\.compose\.file\+yaml, 32 bytes\)\nregistry\.example\.org\/team\/shop:1\.0 is published as sha256:[0-9a-f]{64}\n$/,
  )
  expect(world.ports.artifacts.pushed).toMatchObject([{ reference }])
})

test('0: --yes accepts all; a dry run asks the same and pushes nothing', async () => {
  await using world = await withShop(telling)
  const dry = await world.cli(`stacks publish shop ${reference} --dry-run --yes`)
  expect([dry.code, world.ports.artifacts.pushed]).toEqual([0, []])
  expect(dry.out).toContain(`${reference} would be published as sha256:`)
  expect(dry.err).toContain('  services.web.volumes: bind mount: ./site:/srv\n')
  expect(dry.err).toContain(
    '  services.web.environment.DB_PASSWORD: literal value for DB_PASSWORD\n',
  )
  expect((await world.cli(`stacks publish shop ${reference} --yes`)).code).toBe(0)
  expect(world.ports.artifacts.pushed).toHaveLength(1)
})

test('130: a question is declined, and nothing is published', async () => {
  await using world = await withShop(telling)
  const declined = await world.cli(`stacks publish shop ${reference}`, { keys: 'n' })
  expect(declined).toMatchObject({ code: 130, out: '' })
  expect(declined.err).toContain('Publish these bind mounts?')
  expect(declined.err).toContain('nothing is published')
  expect(world.ports.artifacts.pushed).toEqual([])
})

test('0: --with-env accepts variables, and a question is answered with yes', async () => {
  await using world = await withShop(telling)
  const argv = `stacks publish shop ${reference} --with-env`
  const { code, err } = await world.cli(argv, { keys: 'y' })
  expect([code, err]).toEqual([0, expect.not.stringContaining('variables would be published')])
  expect(world.ports.artifacts.pushed).toHaveLength(1)
})

test('2: there is no terminal to ask on; 1: the service refuses it', async () => {
  await using world = await withShop(telling)
  const silent = await world.cli(`stacks publish shop ${reference}`)
  expect(silent).toMatchObject({ code: 2, err: expect.stringContaining('use --yes to confirm') })
  const wrong = await world.cli('stacks publish shop registry.example.org/Shop:1 --yes')
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('must be a repository') })
  expect(world.ports.artifacts.pushed).toEqual([])
})

test('1: another stack published there; 0: --replace replaces it', async () => {
  await using world = await withShop()
  await world.cli(['stacks', 'create', 'blog', '--file', join(world.home, 'compose.yaml')])
  expect((await world.cli(`stacks publish shop ${reference}`)).code).toBe(0)
  const taken = await world.cli(`stacks publish blog ${reference}`)
  expect([taken.code, taken.err]).toEqual([1, expect.stringContaining('or use --replace')])
  expect((await world.cli(`stacks publish blog ${reference} --replace`)).code).toBe(0)
})

test('1: the files were changed between the question and the push', async () => {
  await using world = await withShop()
  const { find } = world.ports.stacks
  let reads = 0
  world.ports.stacks.find = async (id) => {
    const stack = await find(id)
    reads += 1
    return stack && { ...stack, contentRevision: reads }
  }
  const changed = await world.cli(`stacks publish shop ${reference}`)
  expect(changed).toMatchObject({ code: 1, err: expect.stringContaining('were changed') })
  expect(world.ports.artifacts.pushed).toEqual([])
})
