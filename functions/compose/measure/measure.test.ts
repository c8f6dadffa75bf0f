import { describe, expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { load } from '../load/load.ts'
import { composeInput } from '../testing/compose-input.ts'
import { type LimitName, limits } from './limits.ts'
import { measure } from './measure.ts'
import { portsIn } from './ranges.ts'

const input = (compose: string, files: Record<string, string> = {}) =>
  composeInput({ 'compose.yaml': compose, ...files }, { reach: 'host' })

const repeated = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('')

test('measures a secret by its own content, even if a config has the same name', () => {
  const compose =
    'services: {a: {image: x, configs: [same], secrets: [same]}}\n' +
    'configs: {same: {content: c}}\nsecrets: {same: {environment: SECRET}}'
  const characters = (secret: string) => {
    const { project } = load(input(compose, { '.env': `SECRET=${secret}` }))
    return present(measure(project).get('body_characters')).count
  }
  expect(characters('x'.repeat(1000)) - characters('x')).toBe(999)
})

/** A limit, a project that exceeds it, and the position in the error message. */
const tooLarge: [LimitName, string, string][] = [
  ['services', `services:\n${repeated(1001, (n) => `  s${n}: {image: x}\n`)}`, 'services'],
  ['containers', 'services: {app: {image: x, scale: 100000000}}', 'services.app.scale'],
  [
    'containers',
    'services: {app: {image: x, deploy: {replicas: 1001}}, b: {image: x}}',
    'services.app.deploy',
  ],
  ['ports', 'services: {app: {image: x, ports: ["1-65535:1-65535"]}}', 'services.app.ports[0]'],
  ['ports', 'services: {app: {image: x, expose: ["1-65535"]}}', 'services.app.expose'],
  ['ports', 'services: {app: {image: x, expose: ["1-100"], scale: 201}}', 'services.app.expose'],
  [
    'endpoints',
    `services: {app: {image: x, scale: 1000, networks: [a, b, c, d, e, f]}}\nnetworks: {a: , b: , c: , d: , e: , f: }`,
    'services.app.networks',
  ],
  [
    'links',
    'services: {a: {image: x, scale: 100, links: [b]}, b: {image: x, scale: 100}}',
    'services.a.links',
  ],
  [
    'dependencies',
    'services: {a: {image: x, scale: 300, depends_on: [b]}, b: {image: x, scale: 300}}',
    'services.a.depends_on',
  ],
  [
    'hooks',
    `services: {a: {image: x, scale: 1000, post_start: [${repeated(6, () => '{command: y},')}]}}`,
    'services.a.post_start',
  ],
  [
    'values',
    `x-a: &a [${'1,'.repeat(1000)}]\nx-b: [${'*a,'.repeat(160)}]\nservices: {a: {image: x}}`,
    '',
  ],
  [
    'body_values',
    `services: {a: {image: x, scale: 1000, environment: [${repeated(500, (n) => `K${n}=1,`)}]}}`,
    'services.a',
  ],
  [
    'body_characters',
    `services: {a: {image: x, scale: 1000, labels: {l: ${'y'.repeat(20_000)}}}}`,
    'services.a',
  ],
]

describe('422: names the limit that a project exceeds, its value and the count', () => {
  test.each(tooLarge)('%s', (name, compose, path) => {
    const place = path.replace(/[[\]]/g, '\\$&')
    const refusal = `${place && `${place}: `}the project has \\d+ .*; the limit \`${name}\` is ${limits[name]}$`
    expect(() => load(input(compose))).toThrow(
      expect.objectContaining({ status: 422, message: expect.stringMatching(refusal) }),
    )
  })

  test('characters, in variables with long values', () => {
    const compose = `services: {app: {image: x, labels: [${repeated(300, (n) => `"l${n}=$A",`)}]}}`
    const files = { '.env': `A=${'x'.repeat(900_000)}` }
    expect(() => load(input(compose, files))).toThrow(
      /services.app.labels.* the limit `characters`/,
    )
  })

  test('a text that is longer than any file after substitution', () => {
    const compose = `services: {app: {image: x, command: "${'$A'.repeat(400)}"}}`
    const files = { '.env': `A=${'x'.repeat(900_000)}` }
    expect(() => load(input(compose, files))).toThrow(/longer than 2 MiB/)
  })

  test('values, in an env_file that many services read', () => {
    const services = repeated(500, (n) => `  s${n}: {image: x, env_file: big.env}\n`)
    const files = { 'big.env': repeated(2000, (n) => `K${n}=1\n`) }
    expect(() => load(input(`services:\n${services}`, files))).toThrow(
      /services.s\d+.env_file.* the limit `values`/,
    )
  })
})

test('an error gives the line of its cause', () => {
  expect(() => load(input('services:\n  app:\n    image: x\n    scale: 2000\n'))).toThrow(
    /^compose.yaml:4:5: services.app.scale: the project has 2000 containers/,
  )
})

test('typical projects are within the limits', () => {
  const rtp = 'services: {pbx: {image: x, ports: ["10000-20000:10000-20000/udp", "5060:5060"]}}'
  expect(load(input(rtp)).project.services.pbx?.ports).toHaveLength(10_002)
  const many = repeated(
    300,
    (n) => `  s${n}: {image: x, depends_on: [db], ports: ["${n + 1}:80"]}\n`,
  )
  const { project } = load(input(`services:\n  db: {image: x}\n${many}`))
  expect(measure(project).get('containers')?.count).toBe(301)
})

test('counts numbers of any size', () => {
  const { project } = load(input('services: {a: {image: x, links: [b]}, b: {image: x}}'))
  for (const service of Object.values(project.services)) service.scale = 2 ** 53
  present(project.services.a).expose = ['1-65535']
  const found = measure(project)
  expect(found.get('containers')?.count).toBeGreaterThan(2 ** 53)
  expect(found.get('links')?.count).toBeGreaterThan(2 ** 100)
})

test.each([
  ['80', 1],
  ['8000-8009/udp', 10],
  ['127.0.0.1:1-65535:1-65535', 65_535],
  ['9-1', 1],
  ['x-y', 1],
])('%s counts as %d ports', (text, count) => expect(portsIn(text)).toBe(count))
