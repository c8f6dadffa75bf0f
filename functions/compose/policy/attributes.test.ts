import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { imageBuild } from '../create/image-build.ts'
import { Failure } from '../errors.ts'
import { load } from '../load/load.ts'
import { composeSchema } from '../load/schema/compose.ts'
import { object, string } from '../load/schema/forms.ts'
import { schemaPaths } from '../load/schema/schema-paths.ts'
import { requireSupported } from '../plan/up/refusals.ts'
import type { Project, Reach } from '../project.ts'
import type { AttributeGroup, Section } from './attributes/attribute.ts'
import { pathsOf, sections } from './attributes/table.ts'
import { unlistedReach } from './unlisted-reach.ts'

const rows = sections.flatMap((section) => section.groups.map((group) => ({ section, group })))
const listed = rows.flatMap(({ section, group }) => pathsOf(section, group))

test('every attribute of the schema has exactly one row, and every row an attribute', () => {
  expect([...listed].sort()).toEqual(schemaPaths(composeSchema))
})

test('reports an attribute that was added to the schema', () => {
  const { service } = composeSchema.$defs as Record<string, object>
  const more = object({ a: string, b: object({ c: string }) })
  const grown = {
    ...composeSchema,
    $defs: { ...(composeSchema.$defs as object), service: { anyOf: [service, more] } },
  }
  const missing = schemaPaths(grown).filter((path) => !listed.includes(path))
  expect(missing).toEqual(['services.*.a', 'services.*.b.c'])
})

const samples = ['allowed', 'refused'] as const
type Kind = (typeof samples)[number]
const samplesOf = (group: AttributeGroup, kind: Kind): readonly string[] =>
  (group as Partial<Record<Kind, readonly string[]>>)[kind] ?? []

test.each(samples)('each attribute is in one of the %s samples of its row', (kind) => {
  const missing = rows.flatMap(({ section, group }) => {
    const trees = samplesOf(group, kind).map((text) => parse(`{${text}}`))
    if (trees.length === 0) return []
    return group.attributes
      .filter((path) => !trees.some((tree) => has(tree, path.split('.'))))
      .map((path) => `${section.title}: ${path}`)
  })
  expect(missing).toEqual([])
})

/** Returns whether a path is in a tree. `*` matches any part. */
function has(tree: unknown, [part, ...rest]: string[]): boolean {
  if (part === undefined) return true
  if (typeof tree !== 'object' || tree === null) return false
  return Object.entries(tree).some(
    ([key, value]) => (part === '*' || key === part) && has(value, rest),
  )
}

const each = (kind: Kind, ...who: AttributeGroup['who'][]) =>
  rows
    .filter(({ group }) => who.includes(group.who))
    .flatMap(({ section, group }) => samplesOf(group, kind).map((sample) => ({ section, sample })))

test.each(each('allowed', 'anyone', 'by value', 'no effect'))(
  'loads for anyone: $sample',
  ({ section, sample }) => {
    expect(outcome('stack', section, sample)).toBe('loaded')
  },
)

test.each(each('refused', 'privileged', 'by value'))(
  '403 without stacks:privileged: $sample',
  ({ section, sample }) => {
    expect(outcome('stack', section, sample)).toMatch(
      /^403 .*: this needs the permission stacks:privileged$/,
    )
  },
)

test.each(each('refused', 'unsupported'))('422 for everyone: $sample', ({ section, sample }) => {
  expect(outcome('host', section, sample)).toMatch(/^422 /)
})

test('403: an unlisted attribute at any level', () => {
  const unknown = (model: object) => [...unlistedReach(model)].map(({ path }) => path.join('.'))
  expect(
    unknown({ services: { web: { command: null, attribute: 1, build: { more: 1 } } } }),
  ).toEqual(['services.web.attribute', 'services.web.build.more'])
  expect(unknown({ networks: { n: { ipam: { config: [{ pool: 'x' }] } } }, others: {} })).toEqual([
    'networks.n.ipam.config.0.pool',
    'others',
  ])
})

test('403: an attribute listed as privileged, without another rule', () => {
  const found = [...unlistedReach({ services: { web: { devices: [{ source: '/dev/sda' }] } } })]
  expect(found.map(({ path }) => path.join('.'))).toContain('services.web.devices')
})

test('every test named by a row exists', async () => {
  const { readFileSync } = await import('node:fs')
  const named = rows.flatMap(({ group }) => group.tests ?? [])
  for (const name of named) {
    const [file = '', title = ''] = name.split(' › ')
    expect(readFileSync(file, 'utf8'), name).toContain(title)
  }
})

const files = {
  '.env': 'GIVEN=x\n',
  'a.env': 'A=1\n',
  labels: 'a=b\n',
  s: 's',
  c: 'c',
  'other.yaml': 'services: {other: {image: busybox}}',
  'more.yaml': 'services: {more: {image: busybox, volumes: ["./m:/m"]}}',
}

/**
 * Returns `loaded`, or the status and message of the error. For the reach `host` the sample must
 * also pass the checks of a deploy.
 */
function outcome(reach: Reach, section: Section, sample: string): string {
  const compose = JSON.stringify(fileOf(section, sample))
  try {
    const { project } = load({
      name: 'shop',
      directory: '/opt/stacks/shop',
      composeFiles: ['compose.yaml'],
      reach,
      files: { ...files, 'compose.yaml': compose },
      environment: {},
      profiles: [],
    })
    if (reach === 'host') asked(project)
    return 'loaded'
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return `${error.status} ${error.message}`
  }
}

function asked(project: Project): void {
  requireSupported(project, '1.99')
  for (const name of Object.keys(project.services)) {
    if (project.services[name]?.build) imageBuild(project, name, 'shop-web')
  }
}

/**
 * Returns a complete file around a sample: defines what the sample refers to and uses what it
 * defines.
 */
function fileOf({ at }: Section, sample: string): object {
  const given = parse(`{${sample}}`)
  const defined = {
    networks: { front: {} },
    volumes: { v: {} },
    secrets: { s: { file: './s' } },
    configs: { c: { content: 'x' } },
    models: { m: { model: 'x' } },
  }
  const base = { image: 'busybox' }
  if (at === 'services.*') return { ...defined, services: { web: { ...base, ...given }, db: base } }
  const names = (kind: string) => Object.keys(given[kind] ?? {})
  const uses = {
    ...Object.fromEntries(
      ['networks', 'secrets', 'configs', 'models']
        .filter((kind) => kind in given)
        .map((kind) => [kind, names(kind)]),
    ),
    ...('volumes' in given && { volumes: names('volumes').map((name) => `${name}:/${name}`) }),
  }
  return { ...given, services: { web: { ...base, ...uses } } }
}
