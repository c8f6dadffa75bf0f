import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localHost } from '../../../adapters/testing/memory/hosts.ts'
import { clientWorld } from '../../../local/harness/client.ts'

const services = 'services:\n  web: {image: "busybox:latest", command: [sleep, "9"]}\n'

/** A directory named `My Shop` with these files, as the current one. */
async function inFolder(files: Record<string, string>) {
  const world = await clientWorld()
  await world.login()
  const cwd = join(world.home, 'My Shop')
  await mkdir(cwd)
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text)
  const here = (words: string, options = {}) => world.cli(words, { cwd, ...options })
  return Object.assign(world, { cwd, here })
}

test.each([
  [{ 'compose.yaml': services }, 'myshop'],
  [{ 'compose.yaml': `name: shop\n${services}` }, 'shop'],
  [{ 'compose.yaml': `name: "\${APP}"\n${services}`, '.env': 'APP=fromenv\n' }, 'fromenv'],
])('0: create, update and deploy without a name: %j is %s', async (files, name) => {
  await using world = await inFolder(files)
  const created = await world.here('stacks create')
  expect(created).toMatchObject({ code: 0, out: `${name} is saved on host ${localHost.name}\n` })
  expect((await world.here('stacks update')).out).toBe(`${name} has not changed, revision 1\n`)
  const deployed = await world.here('stacks deploy')
  expect([deployed.code, deployed.out]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^${name} is deployed: `)),
  ])
})

test('0: -f names the compose file of create, whose name the stack gets', async () => {
  await using world = await inFolder({ 'other.yaml': `name: other\n${services}` })
  expect((await world.here('stacks create -f other.yaml')).out).toBe(
    `other is saved on host ${localHost.name}\n`,
  )
})

test('without a name: 1 in a directory without a project, 2 for standard input', async () => {
  await using world = await inFolder({})
  for (const words of ['stacks create', 'stacks update', 'stacks deploy']) {
    const { code, err } = await world.here(words)
    expect({ words, code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no compose.yaml in'),
    })
  }
  const piped = await world.here('stacks create -f -', { stdin: services })
  expect([piped.code, piped.err]).toEqual([2, expect.stringContaining('needs the name')])
})
