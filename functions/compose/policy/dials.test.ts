import { expect, test } from 'vitest'
import { load } from '../load/load.ts'
import type { Dial } from './dial.ts'
import { dials } from './dials.ts'

const loaded = (compose: string, registries?: string[], reach: 'host' | 'stack' = 'host') =>
  load({
    name: 'shop',
    directory: '/opt/stacks/shop',
    composeFiles: ['compose.yaml'],
    reach,
    files: { 'compose.yaml': compose },
    environment: {},
    profiles: [],
    registries,
  }).project

function listed(compose: string): Dial[] {
  const project = loaded(compose)
  return [...dials(project, [project.services, project.disabled_services])]
}

const written = (path: Dial['path']) =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
    '',
  )

test('every place of a project is listed, with its kind and attribute', () => {
  const compose = `
services:
  web:
    image: ghcr.io/a/web:1
    volumes: [data:/v, { type: image, source: quay.io/a/data, target: /d }]
    pre_start: [{ command: id, image: busybox }]
    logging: { driver: gelf, options: { gelf-address: "udp://10.0.0.1:1" } }
  made:
    image: nas:5000/made
    build:
      context: git://nas/a
      cache_from: ["type=registry,ref=nas:5000/cache", "type=gha"]
      args: { BUILDKIT_SYNTAX: docker/dockerfile:1 }
  off: { image: localhost/off, profiles: [p] }
volumes: { data: { driver_opts: { type: nfs, device: ":/x", o: addr=nas } } }
`
  const found = listed(compose).map(({ kind, target, path }) => [kind, target, written(path)])
  expect(new Set(found.map((entry) => entry.join(' ')))).toEqual(
    new Set([
      'build context git://nas/a services.made.build.context',
      'registry nas:5000 services.made.build.cache_from[0]',
      'build cache type=gha services.made.build.cache_from[1]',
      'registry docker.io services.made.build.args.BUILDKIT_SYNTAX',
      'registry ghcr.io services.web.image',
      'registry quay.io services.web.volumes[1]',
      'registry docker.io services.web.pre_start[0].image',
      'log option gelf-address services.web.logging.options.gelf-address',
      'log driver gelf services.web.logging.driver',
      'registry localhost services.off.image',
      'network file system nfs :/x volumes.data.driver_opts.device',
    ]),
  )
})

const image = (reference: string) => `services: { web: { image: "${reference}" } }`

test.each([
  ['localhost:5000/x', ['localhost:5000'], true],
  ['LOCALHOST:5000/x', ['localhost:5000'], true],
  ['localhost:5000/x', ['localhost'], false],
  ['localhost/x', ['localhost:5000'], false],
  ['localhost:5001/x', ['localhost:5000'], false],
  ['10.0.0.1/x', ['10.0.0.1'], true],
  ['010.0.0.1/x', ['10.0.0.1'], false],
  ['10.0.0.12/x', ['10.0.0.1'], false],
  ['nas.lan:443/x', ['nas.lan'], false],
])('the image %s with the allowed registries %j is accepted: %s', (reference, allowed, whether) => {
  const read = () => loaded(image(reference), allowed, 'stack')
  if (whether) expect(read().services.web?.image).toBe(reference)
  else expect(read).toThrow(/services\.web\.image: the registry .* neither a public DNS name/)
})
