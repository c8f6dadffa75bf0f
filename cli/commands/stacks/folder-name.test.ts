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

test('0: commands about one stack take that of the directory', async () => {
  await using world = await inFolder({ 'compose.yaml': services })
  await world.here('stacks create')
  expect((await world.here('stacks plan')).out).toContain('myshop-web-1')
  expect((await world.here('stacks plan')).code).toBe(0)
  await world.here('stacks deploy')
  const words = ['status', 'logs', 'diff', 'get', 'config', 'deployments', 'build', 'stop']
  for (const word of words) {
    const { code, err } = await world.here(`stacks ${word}`)
    expect({ word, code, err }).toMatchObject({ code: 0 })
  }
  expect((await world.here('stacks ps')).out).toContain('web')
  expect((await world.here('stacks down')).out).toContain('myshop is down')
  const help = await world.here('stacks plan --help')
  expect(help.out).toContain('Usage: cli stacks plan [name] [...services] [flags]')
  expect(help.out).toContain('Without <name> it is the stack of the current directory')
  expect((await world.here('stacks delete')).err).toContain('missing argument: <name>')
})

test('without a name: 1 in a directory without a project, 2 for standard input', async () => {
  await using world = await inFolder({})
  for (const words of ['create', 'update', 'deploy', 'plan', 'status', 'logs']) {
    const { code, err } = await world.here(`stacks ${words}`)
    expect({ words, code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no compose.yaml in'),
    })
    const hint = /create|update/.test(words) ? 'name one with --file' : 'name the stack'
    expect(err).toContain(hint)
  }
  const piped = await world.here('stacks create -f -', { stdin: services })
  expect([piped.code, piped.err]).toEqual([2, expect.stringContaining('needs the name')])
})
