import { describe, expect, test } from 'vitest'
import { Failure } from '../errors.ts'
import { load } from '../load/load.ts'
import type { ComposeInput } from '../project.ts'
import { joinWritable } from './writable-paths.ts'

const directory = '/opt/stacks/shop'

const read = (compose: string, more: Partial<ComposeInput> = {}) => {
  try {
    const { files, ...rest } = more
    load({
      name: 'shop',
      directory,
      composeFiles: ['compose.yaml'],
      reach: 'stack',
      files: { '.env': '', 'compose.yaml': compose, ...files },
      environment: {},
      profiles: [],
      ...rest,
    })
    return 'loaded'
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return `${error.status} ${error.message}`
  }
}

const web = (...volumes: string[]) =>
  `services:\n  web:\n    image: x\n    volumes: ${JSON.stringify(volumes)}\n`
const top = (text: string) => `${web('./data:/data')}${text}`

test.each([
  ['a directory', web('./data:/data')],
  ['a single file, which a container cannot replace', web('./nginx.conf:/etc/nginx/nginx.conf')],
  ['sibling directories', web('./config:/config', './data:/data', './data2:/data2')],
  ['the same directory twice', web('./data:/a', './data:/b')],
  ['a directory inside one that is read-only', web('./data:/data:ro', './data/sub:/sub')],
  ['the whole directory, read-only', web('.:/app:ro', './data:/data')],
  ['a build next to the writable directory', `${web('./data:/data')}    build: ./app\n`],
  ['a secret next to the writable directory', top('secrets: {key: {file: ./key}}\n')],
  ['a path with the same prefix in its name', web('./data:/data', './database:/x')],
])('loads: %s', (_, compose) => {
  expect(read(compose)).toBe('loaded')
})

const both = (inner: string, outer: string) =>
  expect.stringMatching(new RegExp(`^403 .*${inner} is inside ${outer}, where `))

describe('403: a container could place a link in a path that the Engine resolves', () => {
  test.each([
    ['a bind', web('./data:/data', './data/sub:/sub'), '\\./data/sub', '\\./data'],
    ['a read-only bind', web('./data:/data', './data/l:/l:ro'), '\\./data/l', '\\./data'],
    [
      'a path that is not normalized',
      web('./data:/data', './x/../data//l:/l'),
      '\\./data/l',
      '\\./data',
    ],
    [
      'a mount of a service disabled by its profile',
      `${web('./data/l:/l')}  job:\n    image: x\n    profiles: [never]\n    volumes: [./data:/d]\n`,
      ...['\\./data/l', '\\./data'],
    ],
    [
      'a build context',
      `${web('./data:/data')}    build: ./data/app\n`,
      '\\./data/app',
      '\\./data',
    ],
    [
      'a Dockerfile',
      `${web('./app/in:/in')}    build: {context: ./app, dockerfile: in/Dockerfile}\n`,
      ...['\\./app/in/Dockerfile', '\\./app/in'],
    ],
    [
      'an additional context',
      `${web('./data:/data')}    build: {context: ./app, additional_contexts: {a: ./data/a}}\n`,
      ...['\\./data/a', '\\./data'],
    ],
    [
      'a secret',
      top('secrets: {key: {file: ./data/key}}\n').replace(
        'image: x',
        'image: x\n    secrets: [key]',
      ),
      '\\./data/key',
      '\\./data',
    ],
    [
      'a config',
      top('configs: {key: {file: ./data/key}}\n').replace(
        'image: x',
        'image: x\n    configs: [key]',
      ),
      '\\./data/key',
      '\\./data',
    ],
  ])('%s', (_, compose, inner, outer) => {
    expect(read(compose)).toEqual(both(inner, outer))
  })

  test('a path that containers of an earlier deployment could write', () => {
    const writable = [`${directory}/data`]
    expect(read(web('./data/l:/l:ro'), { writable })).toEqual(both('\\./data/l', '\\./data'))
    expect(read(web('./data/l:/l:ro'), { writable })).toContain('an earlier deployment')
    expect(read(web('./data:/data', './other:/o'), { writable })).toBe('loaded')
  })

  test('allows it for callers with stacks:privileged', () => {
    expect(read(web('.:/app', './data/l:/l'), { reach: 'host' })).toBe('loaded')
  })
})

describe('403: a container could write files that define the stack', () => {
  const overlay = 'compose.prod.yaml'
  test.each([
    ['the whole directory', web('.:/app'), {}, 'compose\\.yaml'],
    ['only the compose file', web('./compose.yaml:/c'), {}, 'compose\\.yaml'],
    ['only .env', web('./.env:/app/.env'), {}, '\\.env'],
    [
      'an overlay that is not applied',
      web(`./${overlay}:/c`),
      { [overlay]: 'services: {}' },
      'compose\\.prod\\.yaml',
    ],
    [
      'an included file',
      `include: [more/db.yaml]\n${web('./more:/more')}`,
      { 'more/db.yaml': 'services: {db: {image: x}}' },
      'more/db\\.yaml',
    ],
    [
      'the env file of an include',
      `include: [{path: db.yaml, env_file: vars/db.env}]\n${web('./vars:/vars')}`,
      { 'db.yaml': 'services: {db: {image: x}}', 'vars/db.env': 'A=1' },
      'vars/db\\.env',
    ],
  ])('%s', (_, compose, files, text) => {
    expect(read(compose, { files })).toEqual(
      expect.stringMatching(
        new RegExp(
          `^403 .*services\\.web\\.volumes\\[0\\]: .*lets a container write .*, and with it ${text}`,
        ),
      ),
    )
  })

  test('a path that containers of an earlier deployment could write', () => {
    expect(read(web('./data:/data'), { writable: [directory] })).toContain('earlier deployment')
  })

  test('allows each of them read-only', () => {
    expect(read(web('./compose.yaml:/c:ro', './.env:/e:ro'))).toBe('loaded')
    expect(read(web('./config:/config'), { files: { 'config/app.yml': 'a: 1' } })).toBe('loaded')
  })
})

describe('the record of paths that containers could write', () => {
  test('omits nested paths and paths outside the directory', () => {
    const more = [`${directory}/a/b`, '/etc', `${directory}/c`]
    expect(joinWritable([`${directory}/a`], more, directory)).toEqual([
      `${directory}/a`,
      `${directory}/c`,
    ])
  })

  test('replaces a directory above the stack with the directory of the stack', () => {
    expect(joinWritable([], ['/opt'], directory)).toEqual([directory])
    expect(joinWritable([`${directory}/a`], ['/'], directory)).toEqual([directory])
  })

  test('replaces too many directories with the directory of the stack', () => {
    const many = Array.from({ length: 65 }, (_, index) => `${directory}/${index}`)
    expect(joinWritable([], many.slice(1), directory)).toHaveLength(64)
    expect(joinWritable([], many, directory)).toEqual([directory])
  })
})
