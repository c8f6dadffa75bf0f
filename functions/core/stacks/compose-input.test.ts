import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { storeFile } from '../../../adapters/testing/put-content.ts'
import type { StackTree } from '../records/stack-tree.ts'
import { checkTexts, loadTexts } from './load-project.ts'
import type { StackTexts } from './texts.ts'

const place = { id: 'shop', directory: '/stacks/shop' }
const reading = { environment: null, reach: 'stack' } as const
const bytes = (text: string) => Buffer.from(text)

/** Returns the texts of a stack whose files are stored, and which of them were read. */
async function stored(
  compose: string,
  files: Record<string, string | Uint8Array | { link: string }>,
) {
  const ports = memoryPorts()
  const entries = Object.entries(files).map(async ([path, file]) => {
    if (typeof file === 'object' && 'link' in file) return [path, file] as const
    const content = typeof file === 'string' ? bytes(file) : file
    return [path, await storeFile(content, 0o644, ports)] as const
  })
  const tree: StackTree = Object.fromEntries(await Promise.all(entries))
  const texts: StackTexts = { compose, env: null, overlays: {}, tree }
  const read: string[] = []
  const { getBytes } = ports.texts
  ports.texts.getBytes = async (digest) => {
    const [path] =
      Object.entries(tree).find(([, one]) => 'digest' in one && one.digest === digest) ?? []
    read.push(path ?? digest)
    return getBytes(digest)
  }
  return { ports, texts, read }
}

const app = 'services: {app: {image: app, env_file: [a.env, {path: b.env, required: false}]}}'

test('reads the files that the project refers to, and no others', async () => {
  const { ports, texts, read } = await stored(app, {
    'a.env': 'A=1',
    'b.env': 'B=2',
    'c.env': 'C=3',
    'public/index.html': '<html>',
  })
  const { project } = await loadTexts(place, texts, reading, ports)
  expect(project.services.app?.environment).toEqual({ A: '1', B: '2' })
  expect(read.sort()).toEqual(['a.env', 'b.env'])
})

test('reads files that other files name, whatever their names are made of', async () => {
  const { ports, texts } = await stored('include: ["${DIR:-parts}/one.yaml"]', {
    'parts/one.yaml':
      'include: [two.yaml]\nservices: {one: {image: one, env_file: "${X:-é f}.env"}}',
    'parts/two.yaml': 'services: {two: {extends: {file: base.yaml, service: base}}}',
    'parts/base.yaml': 'services: {base: {image: base, label_file: labels}}',
    'parts/é f.env': 'A=1',
    'parts/labels': 'tier=web',
  })
  const { project } = await loadTexts(place, texts, reading, ports)
  expect(project.services.one?.environment).toEqual({ A: '1' })
  expect(project.services.two).toMatchObject({ image: 'base', labels: { tier: 'web' } })
})

test('reads a file through links of the tree', async () => {
  const { ports, texts } = await stored(
    'services: {app: {image: app, env_file: current/app.env}}',
    { current: { link: 'releases/2' }, 'releases/2/app.env': 'A=2' },
  )
  const { project } = await loadTexts(place, texts, reading, ports)
  expect(project.services.app?.environment).toEqual({ A: '2' })
})

test('checks the stack with each overlay, with the files that only an overlay needs', async () => {
  const { ports, texts, read } = await stored(app, { 'a.env': 'A=1', 'prod.env': 'P=1' })
  const overlays = { prod: 'services: {app: {env_file: prod.env}}' }
  const { services } = await checkTexts(place, { ...texts, overlays }, 'stack', ports)
  expect(Object.keys(services)).toEqual(['app'])
  expect(read.sort()).toEqual(['a.env', 'prod.env'])
})

test.each<[string, string, Record<string, string | Uint8Array>, RegExp]>([
  ['is missing', app, {}, /env_file\[0\].*the stack has no file a\.env/],
  ['is not text', app, { 'a.env': Uint8Array.from([255, 0]) }, /^a\.env: it is not UTF-8 text$/],
  [
    'is larger than 1 MiB',
    app,
    { 'a.env': 'x'.repeat(1024 * 1024 + 1) },
    /a\.env is larger than 1 MiB/,
  ],
  ['is not YAML', 'include: [a.yaml]', { 'a.yaml': 'a: [' }, /^a\.yaml:/],
])('422: a file that the project needs %s', async (_why, compose, files, message) => {
  const { ports, texts } = await stored(compose, files)
  const failure = { status: 422, message: expect.stringMatching(message) }
  await expect(loadTexts(place, texts, reading, ports)).rejects.toMatchObject(failure)
})

test('422: the files that the project needs have more than 16 MiB', async () => {
  const names = Array.from({ length: 17 }, (_, index) => `${index}.env`)
  const files = names.map((name, index) => [name, `#${index}${'x'.repeat(1024 * 1024 - 10)}`])
  const compose = `services: {app: {image: app, env_file: [${names.join(', ')}]}}`
  const { ports, texts } = await stored(compose, Object.fromEntries(files))
  const failure = { status: 422, message: expect.stringContaining('more than 16 MiB') }
  await expect(loadTexts(place, texts, reading, ports)).rejects.toMatchObject(failure)
})
