import { describe, expect, test } from 'vitest'
import { Failure } from '../errors.ts'
import { load } from '../load/load.ts'
import type { Reach } from '../project.ts'

const read = (compose: string, files: Record<string, string> = {}, reach: Reach = 'stack') =>
  load({
    name: 'shop',
    directory: '/opt/stacks/shop',
    composeFiles: ['compose.yaml'],
    reach,
    files: { ...files, 'compose.yaml': compose },
    environment: {},
    profiles: [],
  })

const refusal = (compose: string, reach: Reach) => {
  try {
    read(compose, {}, reach)
    return 'loaded'
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return `${error.status} ${error.message}`
  }
}

describe('422: rejects names reserved for the image and the containers of the service, for every caller', () => {
  test.each([
    ['image: "container-stacks/files:1"', 'image'],
    ['image: container-stacks/files', 'image'],
    ['image: docker.io/container-stacks/files:2', 'image'],
    [`image: container-stacks/files@sha256:${'0'.repeat(64)}`, 'image'],
    ['image: x, build: {context: ., tags: [y, "container-stacks/files:1"]}', 'build.tags[1]'],
    ['image: x, container_name: container-stacks-0123456789abcdef', 'container_name'],
    ['image: x, container_name: container-stacks-files-0123456789ab', 'container_name'],
    ['image: "container-stacks/files:1", profiles: [never]', 'image'],
  ])('%s', (attributes, path) => {
    for (const reach of ['stack', 'host'] as const) {
      const said = refusal(`services: {web: {${attributes}}}`, reach)
      expect(said).toMatch(/^422 /)
      expect(said).toContain(` services.web.${path}: `)
    }
  })

  test.each([
    'image: container-stacks/files-more',
    'image: example.com/container-stacks/files:1',
    'image: x, container_name: container-stacks-web',
    'image: container-stacks/service:1',
  ])('loads: %s', (attributes) => {
    expect(refusal(`services: {web: {${attributes}}}`, 'host')).toBe('loaded')
  })
})

const own = ['com.docker.compose.project', 'container-stacks.internal']
const labels = `{${own.map((key) => `${key}: x`).join(', ')}, mine: y}`

test('ignores labels in reserved namespaces wherever a stack sets them, with a warning for each', () => {
  const { project, warnings } = read(
    `services:
  web:
    image: x
    labels: ${labels}
    annotations: ${labels}
    build: {context: ., labels: ${labels}}
    deploy: {labels: ${labels}}
    networks: [n]
    secrets: [s]
    volumes: [{type: volume, source: v, target: /v, volume: {labels: ${labels}}}]
networks: {n: {labels: ${labels}}}
volumes: {v: {labels: ${labels}}}
secrets: {s: {file: ./s, labels: ${labels}}}
`,
    {},
    'host',
  )
  const { web } = project.services
  const places = {
    'services.web.labels': web?.labels,
    'services.web.annotations': web?.annotations,
    'services.web.build.labels': web?.build?.labels,
    'services.web.deploy.labels': web?.deploy?.labels,
    'services.web.volumes[0].volume.labels': web?.volumes?.[0]?.volume?.labels,
    'networks.n.labels': project.networks.n?.labels,
    'volumes.v.labels': project.volumes.v?.labels,
    'secrets.s.labels': project.secrets.s?.labels,
  }
  for (const [place, kept] of Object.entries(places)) {
    expect(kept, place).toEqual({ mine: 'y' })
    for (const key of own) {
      expect(warnings).toContainEqual(expect.stringContaining(`${place}: ${key} is ignored`))
    }
  }
})

test.each([
  ['services: {web: {image: x, labels: {container-stacks.installation: ""}}}', {}],
  ['services: {web: {image: x, build: {context: ., labels: [container-stacks.installation]}}}', {}],
  ['services: {web: {image: x, label_file: l}}', { l: 'container-stacks.installation=1' }],
])('422: refuses the label that adds containers to the service: %s', (compose, files) => {
  for (const reach of ['stack', 'host'] as const) {
    expect(() => read(compose, files, reach)).toThrow(/a part of this service: remove the label/)
  }
})

test('ignores them in a label file too', () => {
  const compose = 'services: {web: {image: x, label_file: l}}'
  const { project, warnings } = read(compose, { l: `${own.join('=x\n')}=x\nmine=y\n` })
  expect(project.services.web?.labels).toEqual({ mine: 'y' })
  expect(warnings).toHaveLength(own.length)
})

test('keeps the label for links, which users write', () => {
  const compose = 'services: {web: {image: x, labels: {container-stacks.url: "https://a.example"}}}'
  const { project, warnings } = read(compose)
  expect(project.services.web?.labels).toEqual({ 'container-stacks.url': 'https://a.example' })
  expect(warnings).toEqual([])
})
