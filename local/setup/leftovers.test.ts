import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { findCompose, runs } from './compose.mjs'
import { addressPools } from './engine.mjs'
import { removeStalePidFiles, servesDefaultSocket } from './living-engine.mjs'
import { isLeftPolicy, policyText } from './packages.mjs'
import { findProcess, processes } from './processes.mjs'

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-setup-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

/** The ID of a process that has ended. */
const ended = () => present(spawnSync('true').pid)

test('lists processes with their parents, command lines and directories', () => {
  const own = present(processes().find(({ pid }) => pid === process.pid))
  expect(own).toMatchObject({ parent: process.ppid, directory: process.cwd() })
  expect(own).toEqual(findProcess(process.pid))
  expect(own.words[0]).toContain('node')
  expect(own.started).toMatch(/^\d+$/)
  expect(findProcess(ended())).toBeUndefined()
})

test('tells the Engine of the default socket from others', () => {
  for (const line of [
    'dockerd',
    'dockerd --iptables=false',
    '/usr/sbin/dockerd -H fd:// --containerd=/run/containerd/containerd.sock',
    'dockerd -H tcp://127.0.0.1:2375 -H unix:///var/run/docker.sock',
    'dockerd --host=unix:///run/docker.sock',
  ]) {
    expect(servesDefaultSocket(line.split(' ')), line).toBe(true)
  }
  for (const line of [
    'dockerd -H unix:///tmp/container-stacks-machine-a1b2c3/docker.sock',
    'dockerd --host=tcp://127.0.0.1:2375',
    'dockerd -H=unix:///tmp/other.sock',
  ]) {
    expect(servesDefaultSocket(line.split(' ')), line).toBe(false)
  }
})

test('removes process ID files of killed Engines only', () => {
  const directory = newDirectory()
  const at = (name: string) => join(directory, name)
  const own = present(findProcess(process.pid)).program
  writeFileSync(at('living'), `${process.pid}`)
  writeFileSync(at('taken'), `${process.pid}`)
  writeFileSync(at('ended'), `${ended()}\n`)
  const said: string[] = []
  removeStalePidFiles((line) => said.push(line), {
    [at('living')]: own,
    [at('taken')]: 'dockerd',
    [at('ended')]: 'dockerd',
    [at('none')]: 'dockerd',
  })
  expect(readFileSync(at('living'), 'utf8')).toBe(`${process.pid}`)
  expect(said).toEqual([
    `Removing ${at('taken')}, which names a process of ${own}`,
    `Removing ${at('ended')}, which names a process that has ended`,
  ])
  for (const name of ['taken', 'ended']) expect(existsSync(at(name)), name).toBe(false)
})

test('gives the Engine more networks unless its configuration does', () => {
  expect(addressPools('')).toEqual(['--default-address-pool', 'base=10.253.0.0/16,size=24'])
  expect(addressPools('{"default-address-pools": []}')).toEqual([])
})

test('recognises the policy of a killed installation', () => {
  expect(isLeftPolicy(policyText(ended()))).toBe(true)
  expect(isLeftPolicy(policyText(process.pid))).toBe(false)
  // Images of Ubuntu and Debian have these.
  expect(isLeftPolicy('#!/bin/sh\nexit 101\n')).toBe(false)
  expect(isLeftPolicy('#!/bin/sh\n\n# For most Docker users, …\n\nexit 101\n')).toBe(false)
  expect(isLeftPolicy('')).toBe(false)
})

test('accepts only a docker compose that runs', () => {
  const broken = join(newDirectory(), 'docker-compose')
  expect(runs(broken)).toBe(false)
  const complete = readFileSync(present(findCompose()))
  writeFileSync(broken, complete.subarray(0, complete.length / 2), { mode: 0o755 })
  expect(runs(broken)).toBe(false)
})
