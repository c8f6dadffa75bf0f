import { expect, test } from 'vitest'
import { Failure } from '../errors.ts'
import { load } from '../load/load.ts'
import type { Reach } from '../project.ts'
import { allowedSamples, forbiddenSamples } from '../testing/forbidden-samples.ts'

const read = (reach: Reach, files: Record<string, string>, composeFiles = ['compose.yaml']) =>
  load({
    name: 'shop',
    directory: '/opt/stacks/shop',
    composeFiles,
    reach,
    files: { '.env': '', ...files },
    environment: {},
    profiles: [],
  })

const refusal = (reach: Reach, files: Record<string, string>, composeFiles?: string[]) => {
  try {
    read(reach, files, composeFiles)
    return 'loaded'
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return `${error.status} ${error.message}`
  }
}

/** Returns `403 compose.yaml:<number of the marked line>:`. */
function place(file: string, text: string): string {
  const line = text.split('\n').findIndex((one) => one.endsWith('# here')) + 1
  return `403 ${file}:${line}:`
}

test.each(forbiddenSamples)('403: $name, with file, line and path', ({ compose, path }) => {
  const said = refusal('stack', { 'compose.yaml': compose })
  expect(said).toContain(place('compose.yaml', compose))
  expect(said).toContain(` ${path}: `)
  expect(said).toContain('this needs the permission stacks:privileged')
})

test.each(forbiddenSamples)('loads with stacks:privileged: $name', ({ compose, unreadable }) => {
  const said = refusal('host', { 'compose.yaml': compose })
  if (unreadable) expect(said).toMatch(/^422 compose.yaml:\d+:\d+: /)
  else expect(said).toBe('loaded')
})

test.each(allowedSamples)('loads: %s', (compose) => {
  expect(refusal('stack', { 'compose.yaml': compose })).toBe('loaded')
})

const base = 'services:\n  web:\n    image: busybox\n    volumes:\n      - ./a:/a\n'

test('403: names the line of the overlay', () => {
  const overlay = 'services:\n  web:\n    volumes:\n      - ./b:/b\n      - /etc:/c # here\n'
  const files = { 'compose.yaml': base, 'compose.prod.yaml': overlay }
  const said = refusal('stack', files, Object.keys(files))
  expect(said).toContain(place('compose.prod.yaml', overlay))
})

test('403: names the file below if the overlay has more entries', () => {
  const under = `${base}      - /etc:/c # here\n`
  const overlay = 'services:\n  web:\n    volumes: ["./1:/1", "./2:/2", "./3:/3"]\n'
  const files = { 'compose.yaml': under, 'compose.prod.yaml': overlay }
  expect(refusal('stack', files, Object.keys(files))).toContain(place('compose.yaml', under))
})

test('allows an overlay that removes the forbidden entry', () => {
  const files = {
    'compose.yaml': 'services: {web: {image: busybox, privileged: true}}',
    'compose.prod.yaml': 'services: {web: {privileged: !reset null}}',
  }
  expect(refusal('stack', files, Object.keys(files))).toBe('loaded')
})

test('403: a service disabled by its profile, and one from include or extends', () => {
  const disabled = 'services: {a: {image: x}, b: {image: x, profiles: [p], privileged: true}}'
  expect(refusal('stack', { 'compose.yaml': disabled })).toMatch(/^403 .*services\.b\.privileged/)
  const files = { 'more.yaml': 'services:\n  b:\n    image: x\n    privileged: true # here\n' }
  const including = { ...files, 'compose.yaml': 'include: [more.yaml]' }
  expect(refusal('stack', including)).toContain(place('more.yaml', files['more.yaml']))
  const extending = 'services: {a: {extends: {file: more.yaml, service: b}}}'
  const said = refusal('stack', { ...files, 'compose.yaml': extending })
  expect(said).toMatch(/^403 compose.yaml:1:12: services\.a\.privileged: /)
})

test('422: reports loading errors before policy errors', () => {
  const compose = 'services: {web: {image: busybox, privileged: true, ports: ["x"]}}'
  expect(refusal('stack', { 'compose.yaml': compose })).toMatch(/^422 /)
})
