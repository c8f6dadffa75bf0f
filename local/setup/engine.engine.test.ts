import { expect, test } from 'vitest'
import { busyboxArchive } from './busybox.mjs'
import { ensureBusybox, ensureEngine } from './engine.mjs'
import { engineAddress, engineResponds } from './engine-api.mjs'

test('reads the address from DOCKER_HOST, as the docker client does', () => {
  expect(engineAddress({})).toEqual({ socketPath: '/var/run/docker.sock' })
  expect(engineAddress({ DOCKER_HOST: 'unix:///tmp/a.sock' })).toEqual({
    socketPath: '/tmp/a.sock',
  })
  expect(engineAddress({ DOCKER_HOST: 'tcp://10.0.0.1' })).toMatchObject({
    host: '10.0.0.1',
    port: 2375,
  })
})

test('does not touch an Engine that responds', async () => {
  const said: string[] = []
  const print = (line: string) => said.push(line)
  expect(await engineResponds()).toBe(true)
  expect(await ensureEngine({ print })).toBe(true)
  expect(await ensureBusybox({ print })).toBe(true)
  expect(said).toEqual([])
})

test('reports an address without an Engine, and installs nothing', async () => {
  for (const address of ['unix:///tmp/no-engine.sock', 'tcp://127.0.0.1:1', 'nonsense']) {
    const said: string[] = []
    const print = (line: string) => said.push(line)
    expect(await ensureEngine({ print, environment: { DOCKER_HOST: address } })).toBe(false)
    expect(said.join()).toContain(address)
  }
})

test('the busybox image has a shell and the directories that programs expect', async () => {
  const entries = new Map<string, string>()
  const archive: Buffer = busyboxArchive()
  const text = (start: number, length: number) =>
    archive.toString('latin1', start, start + length).replace(/\0.*/s, '')
  for (let at = 0; archive[at] !== 0; ) {
    entries.set(text(at, 100), text(at + 157, 100))
    at += 512 + 512 * Math.ceil(Number.parseInt(text(at + 124, 12), 8) / 512)
  }
  expect(entries.get('bin/sh')).toBe('busybox')
  expect(entries.get('bin/busybox')).toBe('')
  expect(entries.get('bin/httpd')).toBe('busybox')
  expect([...entries.keys()]).toEqual(expect.arrayContaining(['tmp/', 'etc/passwd', 'root/']))
})
