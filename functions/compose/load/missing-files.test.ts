import { expect, test } from 'vitest'
import { Failure } from '../errors.ts'
import { composeInput } from '../testing/compose-input.ts'
import { load } from './load.ts'

const run = (files: Record<string, string>, reach: 'host' | 'stack' = 'stack') =>
  load(composeInput(files, { reach }))

const refusal = (files: Record<string, string>, reach: 'host' | 'stack' = 'stack') => {
  try {
    run(files, reach)
  } catch (error) {
    if (error instanceof Failure) return { status: error.status, lines: error.message.split('\n') }
    throw error
  }
  throw new Error('the files were accepted')
}

test('422: one error names every file that is missing, with its place', () => {
  const compose = `include:
  - more.yaml
services:
  api:
    image: x
    env_file:
      - api.env
      - {path: optional.env, required: false}
  web:
    extends: {file: base.yaml, service: web}
    label_file: labels.txt
  db:
    image: x
    env_file: db.env
`
  expect(refusal({ 'compose.yaml': compose })).toEqual({
    status: 422,
    lines: [
      'compose.yaml:10:15: services.web.extends.file: the stack has no file base.yaml',
      'compose.yaml:2:5: include[0]: the stack has no file more.yaml',
      'compose.yaml:7:9: services.api.env_file[0]: the stack has no file api.env',
      'compose.yaml:11:5: services.web.label_file[0]: the stack has no file labels.txt',
      'compose.yaml:14:5: services.db.env_file[0]: the stack has no file db.env',
    ],
  })
})

test('422: a missing include is the error, and not what follows from it', () => {
  const compose = 'include: [more.yaml]\nservices: {a: {image: x, depends_on: [b]}}\n'
  expect(refusal({ 'compose.yaml': compose }).lines).toEqual([
    'compose.yaml:1:11: include[0]: the stack has no file more.yaml',
  ])
})

test('422: names files that an included file requires', () => {
  const files = {
    'compose.yaml': 'include: [sub/more.yaml]\nservices: {a: {image: x, env_file: a.env}}\n',
    'sub/more.yaml': 'services: {b: {image: x, env_file: b.env}}\n',
  }
  const { lines } = refusal(files)
  expect(lines).toHaveLength(2)
  expect(lines.join()).toContain('the stack has no file a.env')
  expect(lines.join()).toContain('sub/more.yaml:1:')
})

test('422: lists at most 50 of many', () => {
  const services = Array.from({ length: 80 }, (_, n) => `  s${n}: {image: x, env_file: e${n}}`)
  const { lines } = refusal({ 'compose.yaml': `services:\n${services.join('\n')}\n` })
  expect(lines).toHaveLength(50)
  expect(lines.at(-1)).toBe('… and 31 more problems')
})

test('403: a file outside of the directory of the stack is refused as before', () => {
  const compose = 'services: {a: {image: x, env_file: [/etc/passwd]}}\n'
  expect(refusal({ 'compose.yaml': compose }).status).toBe(403)
})

test('returns the paths of the host that the project uses, with their places', () => {
  const compose = `services:
  web:
    build: {context: ./app, dockerfile: Dockerfile.prod}
    secrets: [key]
    configs: [motd]
    volumes:
      - ./nginx.conf:/etc/nginx.conf:ro
      - {type: bind, source: ./strict, target: /s, bind: {create_host_path: false}}
      - data:/data
  inline:
    build: {dockerfile_inline: FROM x}
  remote:
    build: https://example.com/x.git
secrets: {key: {file: key.txt}}
configs: {motd: {content: hello}}
volumes: {data: }
`
  const { paths } = run({ 'compose.yaml': compose }, 'host')
  const shown = paths.map(({ place, path, needs, isCreated }) => [place, path, needs, isCreated])
  expect(shown).toEqual([
    ['compose.yaml:3:13: services.web.build.context: ', '/srv/shop/app', 'directory', false],
    [
      'compose.yaml:3:29: services.web.build.dockerfile: ',
      '/srv/shop/app/Dockerfile.prod',
      'file',
      false,
    ],
    ['compose.yaml:14:17: secrets.key.file: ', '/srv/shop/key.txt', 'file', false],
    ['compose.yaml:7:9: services.web.volumes[0]: ', '/srv/shop/nginx.conf', 'any', true],
    ['compose.yaml:8:9: services.web.volumes[1]: ', '/srv/shop/strict', 'any', false],
    ['compose.yaml:11:5: services.inline.build.context: ', '/srv/shop', 'directory', false],
  ])
})
