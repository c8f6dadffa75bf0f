import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientWorld } from '../../../local/harness/client.ts'
import { sourceFile } from '../../../local/harness/followed-source.ts'

const url = 'oci://registry.example.org/team/shop'
const plain = 'services: {web: {image: nginx}}\n'

async function withShop() {
  const world = await clientWorld()
  await world.login()
  const file = join(world.home, 'compose.yaml')
  await writeFile(file, plain)
  const { refs, revisions } = world.ports.sourceReader
  refs.set(`${url} at latest`, 'sha256:a')
  const text = plain.replace('nginx', 'caddy')
  revisions.set('sha256:a', { '': { id: 'sha256:a', files: [sourceFile('compose.yaml', text)] } })
  for (const words of [`stacks create shop --file ${file}`, `sources create estate ${url}`]) {
    const made = await world.cli(words)
    if (made.code !== 0) throw new Error(made.err)
  }
  return world
}

test('0: binds, syncs, shows and unbinds a stack', async () => {
  await using world = await withShop()
  const bound = await world.cli('stacks source set shop estate --on-change notify --overwrite')
  expect([bound.code, bound.out]).toEqual([0, expect.stringMatching(/on change +notify/)])
  expect(bound.out).toMatch(/overwrites +files/)
  const synced = await world.cli('stacks source sync shop')
  expect([synced.code, synced.out]).toEqual([0, expect.stringMatching(/revision +sha256:a/)])
  expect((await world.cli('stacks source shop')).out).toBe(synced.out)
  expect((await world.cli('stacks source status shop')).out).toBe(synced.out)
  expect((await world.cli('stacks files shop')).code).toBe(0)
  expect((await world.cli('stacks source unset shop')).out).toBe('shop follows no source now\n')
  expect((await world.cli('stacks source shop')).err).toContain('cli stacks source set shop')
})

test('without a mode the files become the newest revision', async () => {
  await using world = await withShop()
  const bound = await world.cli('stacks source set shop estate')
  expect(bound.out).toMatch(/on change +plan/)
})

test('what no flag names keeps its value while the source is the same', async () => {
  await using world = await withShop()
  expect((await world.cli(`sources create other ${url}`)).code).toBe(0)
  const terms = async (words: string) => {
    const { code, out, err } = await world.cli(`stacks source set shop ${words} --output json`)
    if (code !== 0) throw new Error(err)
    const { source, path, also, on_change: mode, overwrite } = JSON.parse(out)
    return { source, path, also, mode, overwrite }
  }
  const words = 'estate --path apps/shop --also shared --on-change notify --overwrite'
  const first = await terms(words)
  expect(first).toEqual({
    source: 'estate',
    path: 'apps/shop',
    also: ['shared'],
    mode: 'notify',
    overwrite: true,
  })
  expect(await terms('estate')).toEqual(first)
  expect(await terms('estate --on-change deploy')).toEqual({ ...first, mode: 'deploy' })
  expect(await terms('estate --path . --also none --keep-edits')).toEqual({
    source: 'estate',
    path: '',
    also: [],
    mode: 'deploy',
    overwrite: false,
  })
  expect(await terms('other')).toMatchObject({ source: 'other', mode: 'plan' })
  const both = await world.cli('stacks source set shop other --overwrite --keep-edits')
  expect([both.code, both.err]).toEqual([2, expect.stringContaining('not both')])
})

test('errors speak of flags', async () => {
  await using world = await withShop()
  const wrong = await world.cli('stacks source set shop estate --on-change pull')
  expect([wrong.code, wrong.err]).toEqual([
    expect.any(Number),
    expect.stringContaining('--on-change'),
  ])
  expect(wrong.code).not.toBe(0)
  const path = await world.cli('stacks source set shop estate --path ../a')
  expect([path.code, path.err]).toEqual([expect.any(Number), expect.stringContaining('--path')])
})

test('rollback goes back to a commit; 1: it was not deployed; 2: wrong usage', async () => {
  await using world = await withShop()
  const { refs, revisions } = world.ports.sourceReader
  const sync = async (revision: string, image: string) => {
    const text = plain.replace('nginx', image)
    const files = [sourceFile('compose.yaml', text)]
    refs.set(`${url} at latest`, revision)
    revisions.set(revision, { '': { id: revision, files } })
    // A source is not asked twice within 5 seconds.
    world.ports.clock.advance(6000)
    expect((await world.cli('stacks source sync shop')).code).toBe(0)
    await world.ports.background.settled()
  }
  for (const name of ['nginx', 'caddy', 'httpd']) {
    world.engine.state.registry.add(name)
  }
  expect((await world.cli('stacks deploy shop')).code).toBe(0)
  await world.cli('stacks source set shop estate --on-change deploy')
  const [first, second] = [`1234567${'a'.repeat(33)}`, `1234567${'b'.repeat(33)}`]
  await sync(first, 'caddy')
  await sync(second, 'httpd')
  const back = async (...words: string[]) => {
    const { code, err } = await world.cli(['stacks', 'rollback', 'shop', ...words])
    return [code, err]
  }
  expect(await back('--commit', '1234567')).toEqual([
    2,
    expect.stringContaining(`${second}, ${first}`),
  ])
  expect(await back('--commit', '7654321')).toEqual([1, expect.stringContaining('no deployment')])
  expect(await back('--commit', '123456')).toEqual([2, expect.stringContaining('--commit')])
  expect(await back('previous', '--commit', '1234567')).toEqual([
    2,
    expect.stringContaining('only one'),
  ])
  expect(await back()).toEqual([2, expect.stringContaining('--commit')])
  expect(await back('--commit', '1234567a')).toEqual([0, expect.any(String)])
  expect((await world.cli('stacks get shop')).out).toContain('image: caddy')
})
