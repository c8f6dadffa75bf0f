import { expect, test } from 'vitest'
import type { Process } from '../setup/processes.mjs'
import { namedDirectories, orphansOf, otherRuns } from './process-leftovers.mjs'

const given = (
  pid: number,
  parent: number,
  line: string,
  directory = '/',
  environment = '',
): Process => {
  const words = line.split(' ')
  const program = (words[0] ?? '').replace(/^.*\//, '').slice(0, 15)
  return { pid, parent, program, started: '1', words, directory, environment }
}
const place = '/tmp/container-stacks-place-2WlUc0'
const ids = (all: Process[]) => all.map(({ pid }) => pid)

test('returns programs of tests without a parent, and their descendants', () => {
  const all = [
    given(1, 0, '/sbin/init'),
    given(10, 1, `node dist/agent.js run --data ${place}/agent-a`),
    given(11, 10, 'sh -c true'),
    given(12, 11, 'sleep 5'),
    given(13, 1, 'java -jar DynamoDBLocal.jar', `${place}/data`),
    given(14, 999, '/usr/bin/docker-registry serve /tmp/registry-a1b2c3/config.yml'),
    given(15, 1, 'dockerd -H unix:///tmp/container-stacks-machine-a1b2c3/docker.sock'),
    given(16, 1, '/usr/sbin/sshd -D -e -f /tmp/sshd-a1b2c3/config'),
    given(
      17,
      1,
      'npm exec vitest run --outputFile.json=/tmp/container-stacks-report-o1L7LK/r.json',
    ),
    given(18, 1, 'node dist/service.js', '/', `PATH=/bin\0SERVICE_DATA_DIR=${place}/data\0`),
  ]
  expect(ids(orphansOf(all, 500))).toEqual([10, 13, 14, 15, 16, 17, 18, 11, 12])
})

test('leaves other processes alone', () => {
  const all = [
    given(1, 0, '/sbin/init'),
    given(2, 0, 'kthreadd'),
    // Its parent is alive.
    given(20, 1, 'node local/test.mjs'),
    given(21, 20, `node dist/service.js ${place}`),
    // A person looks into the directory of a test.
    given(22, 1, `bash -c ls ${place}`),
    given(23, 1, `less ${place}/log`),
    given(24, 1, '/usr/sbin/sshd -D'),
    given(25, 1, 'dockerd'),
    given(26, 1, 'docker-registry serve /etc/docker/registry/config.yml'),
    given(27, 1, 'node server.js --data /srv/container-stacks-place-2WlUc0'),
    given(28, 1, 'node server.js', '/home/anna', `OLDPWD=${place}\0HOME=${place}\0`),
    // The kernel of the machine around this one started it.
    given(29, 0, `node dist/agent.js --data ${place}`),
  ]
  expect(orphansOf(all, 500)).toEqual([])
})

test('never returns this process or what it descends from', () => {
  const all = [
    given(1, 0, '/sbin/init'),
    given(30, 1, `node supervisor.js ${place}`),
    given(31, 30, 'node local/test.mjs'),
    given(32, 30, 'node other.js'),
  ]
  expect(orphansOf(all, 31)).toEqual([])
})

test('finds test runs, benchmarks and the like of this project', () => {
  const clone = '/home/anna/container-stacks'
  const all = [
    given(1, 0, '/sbin/init'),
    given(40, 1, 'node local/test.mjs', clone),
    given(41, 40, `node ${clone}/node_modules/.bin/vitest run`, clone),
    given(42, 1, `node ${clone}/node_modules/vitest/dist/workers/forks.js`, clone),
    given(43, 1, 'node /x/node_modules/.bin/tsx local/bench/main.ts', clone),
    given(44, 1, 'node /x/node_modules/.bin/vitest run', '/home/anna/other-project'),
    given(45, 1, 'vim vitest.config.ts', clone),
    given(46, 1, 'node dist/service.js', clone),
    given(47, 1, 'node local/demo.mjs', clone),
    given(50, 1, 'node local/test.mjs', clone),
    given(51, 50, 'node local/test/sweep.mjs', clone),
  ]
  const isProject = (directory: string) => directory === clone
  expect(ids(otherRuns(all, 51, isProject))).toEqual([40, 41, 42, 43])
  expect(ids(otherRuns(all, 50, isProject))).toEqual([40, 41, 42, 43])
})

test('finds the directories of tests that a process uses', () => {
  const environment = `PATH=/bin\0SERVICE_DATA_DIR=${place}/data\0DOCKER_HOST=unix:///tmp/docker-gate-a1b2c3/docker.sock\0`
  expect(namedDirectories(given(1, 0, 'node service.js', '/', environment))).toEqual([
    place,
    '/tmp/docker-gate-a1b2c3',
  ])
  expect(namedDirectories(given(1, 0, `node --data=${place}`, '/tmp/swift-a1b2c3'))).toEqual([
    '/tmp/swift-a1b2c3',
    place,
  ])
  expect(namedDirectories(given(1, 0, 'node service.js --data /srv', '/tmp'))).toEqual([])
})
