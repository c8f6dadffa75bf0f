import { describe, expect, test } from 'vitest'
import { Failure } from '../../errors.ts'
import { load } from '../load/load.ts'
import type { ComposeInput } from '../project.ts'
import { joinWritable } from './writable-paths.ts'

const directory = '/opt/stacks/shop'

const read = (compose: string, more: Partial<ComposeInput> = {}) => {
  try {
    const { files, ...rest } = more
    load({
      ...{ name: 'shop', directory, composeFiles: ['compose.yaml'], reach: 'stack' },
      ...{
        files: { '.env': '', 'compose.yaml': compose, ...files },
        environment: {},
        profiles: [],
      },
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
  ['directories side by side', web('./config:/config', './data:/data', './data2:/data2')],
  ['the same directory twice', web('./data:/a', './data:/b')],
  ['a directory inside one that is read-only', web('./data:/data:ro', './data/sub:/sub')],
  ['the whole directory, read-only', web('.:/app:ro', './data:/data')],
  ['a build beside what is written', `${web('./data:/data')}    build: ./app\n`],
  ['a secret beside what is written', top('secrets: {key: {file: ./key}}\n')],
  ['a path whose name only begins the same', web('./data:/data', './database:/x')],
])('loads: %s', (_, compose) => {
  expect(read(compose)).toBe('loaded')
})

const both = (inner: string, outer: string) =>
  expect.stringMatching(new RegExp(`^403 .*${inner} is inside ${outer}, where `))

describe('403: a container could put a link where the Engine resolves a path', () => {
  test.each([
    ['a bind', web('./data:/data', './data/sub:/sub'), '\\./data/sub', '\\./data'],
    ['a bind that is read-only', web('./data:/data', './data/l:/l:ro'), '\\./data/l', '\\./data'],
    [
      'a path that is not normal',
      web('./data:/data', './x/../data//l:/l'),
      '\\./data/l',
      '\\./data',
    ],
    [
      'a mount of another service, which its profile leaves out',
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

  test('a mount of an earlier deployment, and nothing beside it', () => {
    const writable = [`${directory}/data`]
    expect(read(web('./data/l:/l:ro'), { writable })).toEqual(both('\\./data/l', '\\./data'))
    expect(read(web('./data/l:/l:ro'), { writable })).toContain('an earlier deployment')
    expect(read(web('./data:/data', './other:/o'), { writable })).toBe('loaded')
  })

  test('who may reach the host may do so', () => {
    expect(read(web('.:/app', './data/l:/l'), { reach: 'host' })).toBe('loaded')
  })
})

describe('403: a container could write what decides on the stack', () => {
  const overlay = 'compose.prod.yaml'
  test.each([
    ['the whole directory', web('.:/app'), {}, 'compose\\.yaml'],
    ['the compose file alone', web('./compose.yaml:/c'), {}, 'compose\\.yaml'],
    ['.env alone', web('./.env:/app/.env'), {}, '\\.env'],
    [
      'an overlay that is not applied',
      web(`./${overlay}:/c`),
      { [overlay]: 'services: {}' },
      'compose\\.prod\\.yaml',
    ],
    [
      'a file that is included',
      `include: [more/db.yaml]\n${web('./more:/more')}`,
      { 'more/db.yaml': 'services: {db: {image: x}}' },
      'more/db\\.yaml',
    ],
    [
      'the variables of one that is included',
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

  test('a mount of an earlier deployment', () => {
    expect(read(web('./data:/data'), { writable: [directory] })).toContain('earlier deployment')
  })

  test('read-only, each of them loads', () => {
    expect(read(web('./compose.yaml:/c:ro', './.env:/e:ro'))).toBe('loaded')
    expect(read(web('./config:/config'), { files: { 'config/app.yml': 'a: 1' } })).toBe('loaded')
  })
})

describe('what containers could write is recorded', () => {
  test('without what lies inside, and nothing of other directories', () => {
    const more = [`${directory}/a/b`, '/etc', `${directory}/c`]
    expect(joinWritable([`${directory}/a`], more, directory)).toEqual([
      `${directory}/a`,
      `${directory}/c`,
    ])
  })

  test('a directory above the stack counts as the stack', () => {
    expect(joinWritable([], ['/opt'], directory)).toEqual([directory])
    expect(joinWritable([`${directory}/a`], ['/'], directory)).toEqual([directory])
  })

  test('too many directories count as the stack', () => {
    const many = Array.from({ length: 65 }, (_, index) => `${directory}/${index}`)
    expect(joinWritable([], many.slice(1), directory)).toHaveLength(64)
    expect(joinWritable([], many, directory)).toEqual([directory])
  })
})
