import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { docker } from '../testing/docker.ts'
import { findOwnContainer, ownContainerId } from './own-container-id.ts'

const program = 'cat /proc/self/mountinfo'

/** Returns the mounts in a new container, and its ID. */
function mountsIn(...options: string[]): { mounts: string; id: string } {
  const id = docker('create', ...options, 'busybox', 'sh', '-c', program)
  try {
    return { mounts: execFileSync('docker', ['start', '-a', id], { encoding: 'utf8' }), id }
  } finally {
    docker('rm', '--force', id)
  }
}

test('finds the ID of a container with a host name and labels of another one', () => {
  const options = ['--hostname', 'c0ffee', '--network', 'host', '--read-only']
  const { mounts, id } = mountsIn(...options, '--label', 'com.docker.compose.project=shop')
  expect(ownContainerId(mounts)).toBe(id)
})

test('finds the ID of a container that replaces one of its files', () => {
  const { mounts, id } = mountsIn('--volume', '/etc/services:/etc/hostname:ro')
  expect(ownContainerId(mounts)).toBe(id)
})

const line = (source: string, target: string) =>
  `31 2 8:1 ${source} ${target} rw - ext4 /dev/sda rw`

test('a container that replaces all three files is unknown, and a machine is none', () => {
  const own = ['hostname', 'hosts', 'resolv.conf']
  const { mounts } = mountsIn(...own.flatMap((name) => ['-v', `/etc/services:/etc/${name}:ro`]))
  expect(findOwnContainer(mounts, true)).toBe('unknown')
  expect(findOwnContainer(line('/', '/'), false)).toBe('none')
  // A virtual machine that was made from an image still has the file of Docker.
  expect(findOwnContainer(line('/', '/'), true)).toBe('none')
})

test('returns undefined outside of a container', () => {
  const other = 'f'.repeat(64)
  expect(ownContainerId('')).toBeUndefined()
  expect(ownContainerId(line('/', '/'))).toBeUndefined()
  // The mount of another container's files, such as in an Engine that runs in this container.
  const elsewhere = line(`/containers/${other}/hostname`, `/var/lib/docker/${other}/hostname`)
  expect(ownContainerId(elsewhere)).toBeUndefined()
})
