import { expect, test } from 'vitest'
import { imageName, sameImageName } from './image-name.ts'
import { registryOf } from './registry-address.ts'

const hex = 'ab'.repeat(32)

test.each([
  ['nginx', 'docker.io/library/nginx:latest'],
  ['nginx:1.29', 'docker.io/library/nginx:1.29'],
  ['library/nginx', 'docker.io/library/nginx:latest'],
  ['docker.io/nginx', 'docker.io/library/nginx:latest'],
  ['docker.io/library/nginx:latest', 'docker.io/library/nginx:latest'],
  ['index.docker.io/nginx', 'docker.io/library/nginx:latest'],
  ['Docker.io/nginx', 'docker.io/library/nginx:latest'],
  ['team/app', 'docker.io/team/app:latest'],
  ['ghcr.io/team/app:1', 'ghcr.io/team/app:1'],
  ['GHCR.io/team/app:1', 'ghcr.io/team/app:1'],
  ['localhost/app', 'localhost/app:latest'],
  ['localhost:5000/app', 'localhost:5000/app:latest'],
  ['Host/app', 'Host/app:latest'],
  ['registry.example.org:5000/app', 'registry.example.org:5000/app:latest'],
  ['nginx:RC', 'docker.io/library/nginx:RC'],
  [`nginx@sha256:${hex}`, `docker.io/library/nginx@sha256:${hex}`],
  [`nginx:1.29@sha256:${hex}`, `docker.io/library/nginx@sha256:${hex}`],
  [`localhost:5000/app@sha256:${hex}`, `localhost:5000/app@sha256:${hex}`],
  [hex, `sha256:${hex}`],
  [`sha256:${hex}`, `sha256:${hex}`],
  ['sha256:abc', 'sha256:abc'],
])('%s has the normal form %s', (reference, name) => {
  expect(imageName(reference).name).toBe(name)
  expect(sameImageName(reference, name)).toBe(true)
})

test('distinguishes tags, digests and IDs', () => {
  const kinds = ['a', `a:1@sha256:${hex}`, hex, `sha256:${hex}`, 'sha256:abc'].map(
    (reference) => imageName(reference).kind,
  )
  expect(kinds).toEqual(['tag', 'digest', 'id', 'id', 'id'])
  expect(imageName('localhost:5000/a:1').repository).toBe('localhost:5000/a')
})

test('uses the credentials of the registry that the Engine contacts: an upper-case letter makes a host', () => {
  expect(registryOf('Host/app')).toBe('host')
  expect(registryOf('team/app')).toBe('docker.io')
})
