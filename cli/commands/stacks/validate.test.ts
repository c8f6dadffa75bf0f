import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { clientWorld } from '../../../local/harness/client.ts'

async function directoryWith(home: string, files: Record<string, string>) {
  const directory = join(home, 'shop')
  await mkdir(directory, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  return directory
}

const good = 'services:\n  web:\n    image: "busybox:${TAG}"\n'
const bad = 'services:\n  web:\n    image: busybox\n    imagee: x\n    ports: ["x:80"]\n'

test('1: prints every problem with its position; 0: there is none, or warnings alone', async () => {
  await using world = await clientWorld()
  await world.login()
  const cwd = await directoryWith(world.home, { 'compose.yaml': bad })
  const wrong = await world.cli('stacks validate', { cwd })
  expect(wrong.code).toBe(1)
  expect(wrong.out).toBe(
    "compose.yaml:4:5: error: services.web.imagee: additional properties 'imagee' not allowed; did you mean image?\n" +
      'compose.yaml:5:13: error: services.web.ports[0]: invalid host port: x\n',
  )
  await directoryWith(world.home, { 'compose.yaml': good })
  expect(await world.cli('stacks validate', { cwd })).toMatchObject({
    code: 0,
    out: 'compose.yaml:3:5: warning: The "TAG" variable is not set. Defaulting to a blank string.\n',
  })
  await directoryWith(world.home, { '.env': 'TAG=1\n' })
  expect(await world.cli('stacks validate', { cwd })).toMatchObject({
    code: 0,
    out: 'no problems\n',
  })
})

test('0: checks the files that compose files read', async () => {
  await using world = await clientWorld()
  await world.login()
  const compose = 'services: {web: {image: busybox, env_file: web.env}}'
  const cwd = await directoryWith(world.home, { 'compose.yaml': compose })
  const missing = await world.cli('stacks validate', { cwd })
  expect(missing).toMatchObject({ code: 1, out: expect.stringContaining('no file web.env') })
  await directoryWith(world.home, { 'web.env': 'A=1' })
  expect(await world.cli('stacks validate', { cwd })).toMatchObject({
    code: 0,
    out: 'no problems\n',
  })
})

test('1: a problem does not hide the files that are there', async () => {
  await using world = await clientWorld()
  await world.login()
  const compose = `services:
  web: {image: busybox, env_file: [./web.env, {path: missing.env}], imagee: x}
`
  const files = { 'compose.yaml': compose, 'web.env': 'A=1' }
  const cwd = await directoryWith(world.home, files)
  const { out } = await world.cli('stacks validate', { cwd })
  expect(out).toContain("additional properties 'imagee'")
  expect(out).toContain('no file missing.env')
  expect(out).not.toContain('no file web.env')
})

test('0 and 1: files of the directory over those of a stack, and the stored ones alone', async () => {
  await using world = await clientWorld()
  await world.login()
  const cwd = await directoryWith(world.home, { 'compose.yaml': good, '.env': 'TAG=1\n' })
  await world.cli('stacks create shop', { cwd })
  expect((await world.cli('stacks validate shop --stored', { cwd })).out).toBe('no problems\n')
  await directoryWith(world.home, { 'compose.yaml': bad })
  expect((await world.cli('stacks validate shop', { cwd })).code).toBe(1)
  const json = await world.cli('stacks validate shop --output json', { cwd })
  expect(JSON.parse(json.out)).toHaveLength(2)
  expect((await world.cli('stacks validate --stored', { cwd })).code).toBe(2)
})

test('0: config prints the resolved model as YAML, or as the API returned it', async () => {
  await using world = await clientWorld()
  await world.login()
  const cwd = await directoryWith(world.home, { 'compose.yaml': good, '.env': 'TAG=1\n' })
  await world.cli('stacks create shop', { cwd })
  const { code, out } = await world.cli('stacks config shop')
  expect(code).toBe(0)
  const json = await world.cli('stacks config shop --output json')
  expect(parse(out)).toEqual(JSON.parse(json.out))
  expect(parse(out).services.web.image).toBe('busybox:1')
})
