import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ourModel } from './our-model.ts'
import { compareModel, projectsIn } from './projects.ts'

const parent = mkdtempSync(join(tmpdir(), 'conformance-'))
afterAll(() => rmSync(parent, { recursive: true }))

/** Writes a project's files. Paths that begin with `../` are beside it. */
function project(name: string, files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    const file = join(parent, name, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return { name, directory: join(parent, name) }
}

const imageOf = (directory: string) => {
  const answer = ourModel(directory)
  if ('rejected' in answer) return answer.rejected
  const { services } = answer.model as { services: Record<string, { image: string }> }
  return Object.values(services)
    .map(({ image }) => image)
    .join(' ')
}

const app = (image: string) => `services: {app: {image: "${image}"}}`

test('finds the same project in a directory as docker compose, with its override', () => {
  const first = project('names', {
    'docker-compose.yaml': app('c'),
    'docker-compose.yml': app('b'),
    'compose.yml': app('a'),
    'docker-compose.override.yml': 'services: {more: {image: override}}',
  })
  expect(imageOf(first.directory)).toBe('a override')
})

test('COMPOSE_FILE in .env selects the files and moves the project directory', () => {
  const { directory } = project('moved', {
    '.env': 'COMPOSE_FILE=deep/one.yml:two.yml\nTAG=1',
    'deep/one.yml': app('app:${TAG}${DEEP}'),
    'deep/.env': 'TAG=2\nDEEP=3',
    'two.yml': 'services: {other: {image: other, volumes: [./data:/data]}}',
  })
  expect(imageOf(directory)).toBe('app:13 other')
  const { model } = ourModel(directory) as { model: { name: string } }
  expect(model.name).toBe('deep')
  expect(JSON.stringify(model)).toContain(`"source":"${directory}/deep/data"`)
})

test('extends a file next to the project and follows a link', () => {
  project('common', { 'base.yaml': 'services: {base: {image: linked}}' })
  const { directory } = project('neighbour', {
    'compose.yaml':
      'services: {a: {extends: {file: ../common/base.yaml, service: base}}, b: {extends: {file: link.yaml, service: base}}}',
  })
  symlinkSync('../common/base.yaml', join(directory, 'link.yaml'))
  symlinkSync('.', join(directory, 'itself'))
  expect(imageOf(directory)).toBe('linked linked')
})

test('an expectation replaces the answer of docker compose', () => {
  const compose = 'services: {app: {image: x, command: [echo, $$A], volumes: [./a:/a]}}'
  const model = (command: string, source: string) =>
    JSON.stringify({
      name: 'expecting',
      networks: { default: { name: 'expecting_default', ipam: {} } },
      services: {
        app: {
          command: ['echo', command],
          entrypoint: null,
          image: 'x',
          networks: { default: null },
          volumes: [{ type: 'bind', source, target: '/a', bind: { create_host_path: true } }],
        },
      },
    })
  const expecting = (expected: string) =>
    compareModel(project('expecting', { 'compose.yaml': compose, 'expected.json': expected }))
  expect(expecting(model('$$A', '${WD}/a'))).toMatchObject({ result: 'same', against: 'expected' })
  expect(expecting(model('$A', '${WD}/a'))).toMatchObject({ result: 'same' })
  expect(expecting(model('$$B', '/elsewhere')).differences).toEqual([
    'services.app.command[1]: "$A" / "$B"',
    `services.app.volumes[0].source: "${parent}/expecting/a" / "/elsewhere"`,
  ])
})

test('a rejection matches only a rejection', () => {
  const good = { 'compose.yaml': app('x') }
  const bad = { 'compose.yaml': 'services: {app: {}}' }
  const refused = project('refused', { ...bad, 'expected.error': 'no image' })
  expect(compareModel(refused)).toMatchObject({ result: 'refused by both', differences: [] })
  const accepted = compareModel(project('accepted', { ...good, 'expected.error': 'no image' }))
  expect(accepted.differences).toEqual(['the project: accepted / refused (no image)'])
  const missing = compareModel(project('missing', { ...bad, 'expected.json': '{}' }))
  expect(missing.differences[0]).toMatch(/^the project: refused \(.*neither an image.*\/ accepted$/)
})

test('a subdirectory without a compose file is not a project', () => {
  project('nothing', { 'readme.md': 'x' })
  const names = projectsIn(parent).map(({ name }) => name)
  expect(names).not.toContain('nothing')
  expect(names).toContain('moved')
})
