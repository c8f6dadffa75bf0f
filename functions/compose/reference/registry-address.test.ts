import { expect, test } from 'vitest'
import { isPublicName } from './public-name.ts'
import { registryOf } from './registry-address.ts'

test.each([
  ['busybox', 'docker.io'],
  ['library/busybox:1', 'docker.io'],
  ['registry-1.docker.io/a', 'docker.io'],
  ['ghcr.io/a/b', 'ghcr.io'],
  ['localhost/a', 'localhost'],
  ['nas:5000/a', 'nas:5000'],
  ['METADATA/a', 'metadata'],
  ['[::1]:5000/a', '[::1]:5000'],
])('the image %s is pulled from %s', (image, registry) => {
  expect(registryOf(image)).toBe(registry)
})

test.each(['docker.io', 'ghcr.io', 'a.b.c.example.org:5000', 'xn--bcher-kva.xn--p1ai', '1.io'])(
  '%s is a public name',
  (address) => expect(isPublicName(address)).toBe(true),
)

test.each([
  ...['', '.', 'io', 'a.', '.io', 'a..io', '127.0.0.1', '127.1', '0x7f.1', '1.2.3.0x4', 'a.0x1'],
  ...['GHCR.IO', 'a.io:', 'a.io:0', 'a.io:65536', 'a.io:1:2', '[::1]', 'a.io/x', 'a.io\n', 'ä.io'],
  ...[
    'localhost',
    'a.localhost',
    'a.local',
    'a.internal',
    '1.in-addr.arpa',
    `${'a'.repeat(64)}.io`,
  ],
])('%j is not a public name', (address) => expect(isPublicName(address)).toBe(false))
