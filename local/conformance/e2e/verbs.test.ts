import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { headersIn } from '../../../adapters/testing/tar.ts'
import { load } from '../../../functions/compose/load/load.ts'
import { temporaryFolder } from '../../harness/folder.ts'
import { givenStack, world } from '../../harness/world.ts'
import { readProject } from '../project-files.ts'
import { build, pull } from './image-verbs.ts'
import { down } from './lifecycle-verbs.ts'
import { exportFiles } from './read-verbs.ts'
import type { OurStack } from './stack.ts'
import { parseWords } from './words.ts'

const compose = `services:
  web:
    image: busybox:latest
    depends_on: [db]
  db:
    image: busybox:latest
    scale: 2
`

/** Returns a stack that runs on an Engine in memory. */
async function given(text = compose, deployed = true) {
  const here = world()
  const folder = await temporaryFolder({ 'compose.yaml': text })
  onTestFinished(() => folder[Symbol.asyncDispose]())
  await givenStack(here, 'shop', { compose: text, deployed })
  const stack = {
    ports: here.ports,
    as: 'admin',
    path: { name: 'shop' },
    directory: folder.directory,
    project() {
      const { input } = readProject(folder.directory)
      return load({ ...input, name: 'shop' }).project
    },
  } as unknown as OurStack
  const names = () => [...here.engine.state.containers.values()].map(({ name }) => name).sort()
  return { ...here, stack, names, directory: folder.directory }
}

const words = (line: string) => parseWords(line.split(' '))

test('down takes the stack down, or removes the containers of the named services', async () => {
  const { stack, names, engine } = await given()
  const some = await down(stack, words('down db'))
  expect([some.code, names()]).toEqual([0, ['shop-web-1']])
  const all = await down(stack, words('down --remove-orphans'))
  expect(all.code).toBe(0)
  expect(all.stderr).toContain('Container shop-web-1 Removed\n')
  expect([names(), engine.state.networks.size]).toEqual([[], 0])
  expect(await down(stack, words('down'))).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('pull pulls the images of all services, and ignores failures only if asked to', async () => {
  const { stack, engine } = await given()
  engine.state.registry.add('busybox:latest')
  const pulled = await pull(stack, words('pull'))
  expect(pulled).toMatchObject({ code: 0 })
  expect(pulled.stderr.match(/^Image busybox:latest Pulled$/gm)?.length).toBeGreaterThan(0)
  engine.state.registry.clear()
  expect((await pull(stack, words('pull web'))).code).toBe(1)
  expect((await pull(stack, words('pull --ignore-pull-failures web'))).code).toBe(0)
})

test('build builds the services that have a build, and reports each by its name', async () => {
  const { stack, engine } = await given(
    'services: {app: {build: {dockerfile_inline: FROM busybox}}, db: {image: "busybox:latest"}}\n',
    false,
  )
  const built = await build(stack, words('build --no-cache'))
  expect(built).toMatchObject({ code: 0, stderr: 'app Built\n' })
  expect([...engine.state.images.keys()].join()).toContain('shop-app')
  expect((await build(stack, words('build nothing'))).code).toBe(1)
})

test('export writes the files of the container with a number into a tar archive', async () => {
  const { stack, engine, directory } = await given()
  const second = [...engine.state.containers.values()].find(({ name }) => name === 'shop-db-2')
  present(second).uploads = { '/data/a': 'x'.repeat(5 * 1024 * 1024) }
  const file = join(directory, 'out.tar')
  expect((await exportFiles(stack, words(`export --index 2 -o ${file} db`))).code).toBe(0)
  const headers = await headersIn(await readFile(file))
  expect(headers.map(({ name }) => name)).toEqual(['data/a'])
  expect((await exportFiles(stack, words(`export --index 9 -o ${file} db`))).code).toBe(1)
})
