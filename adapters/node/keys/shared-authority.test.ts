import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { KeyStore } from '../../../functions/core/ports/key-store.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../process/clock.ts'
import { authorityFile, fileAuthority, mayCreateAuthority } from './authority.ts'
import { keyFiles } from './key-files.ts'
import { certificateName, shareAuthority, withSharedCertificate } from './shared-authority.ts'

/** Returns processes with a data directory each, which share a key store. */
function world() {
  const root = mkdtempSync(join(tmpdir(), 'shared-authority-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'store'))
  const keys: KeyStore = { ...keyFiles(join(root, 'store')), kind: 'store' }
  const process = (name: string, role = 'all') => {
    const directory = join(root, name)
    mkdirSync(directory)
    const env = { SERVICE_KEYS: 'store', SERVICE_SECRET_KEY: 'a'.repeat(64) }
    const config = readConfig({ ...env, SERVICE_DATA_DIR: directory, SERVICE_ROLE: role })
    const own = fileAuthority(directory, systemClock, mayCreateAuthority(config))
    return {
      file: join(directory, authorityFile),
      authority: withSharedCertificate(own, keys),
      start: (replace = false) => {
        const opened = fileAuthority(directory, systemClock)
        return shareAuthority(opened, config, keys, replace)
      },
    }
  }
  return { keys, process }
}

test('a process without agents gets the certificate, and neither the key nor a new one', async () => {
  const { process } = world()
  const api = process('api', 'api')
  expect(await api.start()).toBeUndefined()
  await expect(api.authority.certificate()).rejects.toMatchObject({ status: 409 })
  const sidecar = process('sidecar', 'sidecar')
  expect(await sidecar.start()).toBeUndefined()
  expect(await api.authority.certificate()).toBe(await sidecar.authority.certificate())
  await expect(api.authority.fingerprint()).rejects.toThrow('copy agent-authority.pem')
  await expect(api.authority.sign('', 'nas')).rejects.toMatchObject({ status: 409 })
  expect(existsSync(api.file)).toBe(false)
})

test('the private key stays in the file', async () => {
  const { keys, process } = world()
  await process('one').start()
  const shared = (await keys.find(certificateName))?.text
  expect(shared).toContain('BEGIN CERTIFICATE')
  expect(shared).not.toContain('PRIVATE KEY')
})

test('a second process with agents needs a copy of the authority', async () => {
  const { process } = world()
  const one = process('one')
  await one.start()
  const other = process('other')
  expect(await other.start()).toMatch(/agent-authority\.pem: it is missing.*Copy it from/)
  expect(existsSync(other.file)).toBe(false)
  copyFileSync(one.file, other.file)
  expect(await other.start()).toBeUndefined()
})

test('refuses another authority, whatever the process does', async () => {
  const { process } = world()
  await process('one').start()
  for (const role of ['all', 'sidecar', 'api']) {
    const other = process(role, role)
    const made = fileAuthority(join(other.file, '..'), systemClock)
    const certificate = await made.certificate()
    expect(await other.start()).toContain('it is not the authority for agents of this installation')
    expect(await other.start(true)).toContain('Copy it from')
    expect(await made.certificate()).toBe(certificate)
  }
})

test('of two processes that start at once, one has the authority', async () => {
  const { process } = world()
  const both = [process('one'), process('other')]
  const problems = await Promise.all(both.map(({ start }) => start()))
  expect(problems.filter((problem) => problem === undefined)).toHaveLength(1)
  expect(both.map(({ file }) => existsSync(file))).toEqual(
    problems.map((problem) => problem === undefined),
  )
})

test('a lost authority is replaced on purpose', async () => {
  const { keys, process } = world()
  const one = process('one')
  await one.start()
  const former = (await keys.find(certificateName))?.text
  rmSync(one.file)
  expect(await one.start()).toContain('--accept-lost-keys')
  expect(await one.start(true)).toBeUndefined()
  const next = (await keys.find(certificateName))?.text
  expect([next === former, existsSync(one.file)]).toEqual([false, true])
  expect(await one.start()).toBeUndefined()
})
