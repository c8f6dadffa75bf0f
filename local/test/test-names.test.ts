import { expect, test } from 'vitest'
import {
  isLikelyTestName,
  isTestDirectory,
  isTestLink,
  isTestNamespace,
  isTestRule,
  isTestUser,
  isUnique,
  testDirectoryOf,
} from './test-names.mjs'

test('finds the directory of a test that a path is in', () => {
  expect(testDirectoryOf('/tmp/container-stacks-place-2WlUc0')).toBe(
    '/tmp/container-stacks-place-2WlUc0',
  )
  expect(testDirectoryOf('/tmp/container-stacks-place-2WlUc0/stacks/web')).toBe(
    '/tmp/container-stacks-place-2WlUc0',
  )
  expect(testDirectoryOf('/dev/shm/container-stacks-tests-123-aBcDe1/dynamodb')).toBe(
    '/dev/shm/container-stacks-tests-123-aBcDe1',
  )
  for (const foreign of [
    '',
    '/',
    '/tmp',
    '/tmp/container-stacks-pictures',
    '/tmp/container-stacks-tests.lock',
    '/tmp/container-stacks',
    '/tmp/my-registry-2WlUc0x',
    '/tmp/registry',
    '/home/anna/tmp/container-stacks-place-2WlUc0',
    '/srv/container-stacks-place-2WlUc0',
    '/var/lib/container-stacks',
    'tmp/container-stacks-place-2WlUc0',
  ]) {
    expect(testDirectoryOf(foreign), foreign).toBeUndefined()
  }
})

test('a directory with the name of another program is recognised by its files', () => {
  expect(isTestDirectory('/tmp/container-stacks-place-2WlUc0', ['anything'])).toBe(true)
  expect(isTestDirectory('/tmp/registry-a1b2c3', ['config.yml', 'store'])).toBe(true)
  expect(isTestDirectory('/tmp/swift-a1b2c3', ['devices', 'swift.conf'])).toBe(true)
  expect(isTestDirectory('/tmp/sshd-a1b2c3', [])).toBe(true)
  expect(isTestDirectory('/tmp/registry-backup', ['2024.tar'])).toBe(false)
  expect(isTestDirectory('/tmp/swift-source', ['Package.swift'])).toBe(false)
  expect(isTestDirectory('/tmp/swift-a1b2c3/devices', [])).toBe(false)
  expect(isTestDirectory('/tmp/ssh-a1b2c3', [])).toBe(false)
})

test('recognises unique names', () => {
  expect(isUnique('cst-0a1b2c-3d4e5f-crash')).toBe(true)
  expect(isUnique('cst-0a1b2c-3d4e5f-crash_default')).toBe(true)
  for (const foreign of [
    'cst',
    'cst-web',
    'cst-1-2-web',
    'my-cst-0a1b2c-3d4e5f-x',
    'CST-0a1b2c-',
  ]) {
    expect(isUnique(foreign), foreign).toBe(false)
  }
})

test('recognises likely names of ended tests', () => {
  const isAlive = (pid: number) => pid === 4711
  for (const name of [
    ...['crash12345-1again', 'back123_default', 'verbs999t', 'wa-holes-1234', 'e2e1234-scale'],
    ...['contract-0a1b2c3d', 'adopt-0a1b2c-web-1', 'journey-stack_default', 'journey-logs'],
  ]) {
    expect(isLikelyTestName(name, isAlive), name).toBe(true)
  }
  for (const foreign of [
    ...['back4711', 'crash', 'crash12', 'mycrash12345', 'shop12345', 'web', 'back12345678'],
    ...['contract', 'contract-0a1b2c3', 'contract-0a1b2c3d4', 'journey-stacks', 'journey', ''],
  ]) {
    expect(isLikelyTestName(foreign, isAlive), foreign).toBe(false)
  }
})

test('recognises networks and accounts of tests', () => {
  expect(isTestNamespace('cst0a1b2c3d')).toBe(true)
  expect(isTestLink('cst0a1b2c3do')).toBe(true)
  expect(isTestUser('cs-test-123-20000')).toBe(true)
  for (const foreign of ['cst', 'cst1', 'cst0a1b2c3d4', 'xcst0a1b2c3d', 'cstest', 'default']) {
    expect(isTestNamespace(foreign), foreign).toBe(false)
  }
  for (const foreign of ['eth0', 'cst0a1b2c3d', 'docker0', 'br-0a1b2c3d', 'veth0a1b2c3d']) {
    expect(isTestLink(foreign), foreign).toBe(false)
  }
  for (const foreign of ['root', 'cs-test', 'cs-test-anna', 'cs-tests-1-2', 'my-cs-test-1-2']) {
    expect(isTestUser(foreign), foreign).toBe(false)
  }
})

test('recognises rules of links of tests', () => {
  const rule =
    '-A PREROUTING -d 10.200.1.1/32 -i cst0a1b2c3do -p tcp -j DNAT --to-destination 127.0.0.1'
  expect(isTestRule(rule)).toBe(true)
  for (const foreign of [
    '-P PREROUTING ACCEPT',
    '-A PREROUTING -m addrtype --dst-type LOCAL -j DOCKER',
    '-A PREROUTING -d 10.200.1.1/32 -i eth0 -p tcp -j DNAT --to-destination 127.0.0.1',
    '-A PREROUTING -i cst0 -p tcp -j DNAT --to-destination 10.0.0.1',
    '-A DOCKER -i cst0a1b2c3do -p tcp -j DNAT --to-destination 10.0.0.1',
  ]) {
    expect(isTestRule(foreign), foreign).toBe(false)
  }
})
