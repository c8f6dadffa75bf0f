import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sshKeys } from './keys.ts'

const keys = sshKeys()

/** Returns the path of a new directory. */
function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'keys-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('a key that was made is read by ssh-keygen', async () => {
  const { privateKey, publicKey } = await keys.make('estate')
  const path = join(directory(), 'key')
  writeFileSync(path, privateKey, { mode: 0o600 })
  expect(publicKey).toMatch(/^ssh-ed25519 [A-Za-z0-9+/=]{68} estate$/)
  expect(execFileSync('ssh-keygen', ['-y', '-f', path], { encoding: 'utf8' }).trim()).toBe(
    publicKey,
  )
  expect((await keys.make('estate')).privateKey).not.toBe(privateKey)
})

test('each key that was made can be read', async () => {
  // Without care, one in 256 could not: 3000 of them would all be good once in 100,000 runs.
  for (let made = 0; made < 3000; made += 1) {
    const { privateKey, publicKey } = await keys.make('estate')
    expect(publicKey).toMatch(/^ssh-ed25519 [A-Za-z0-9+/=]{68} estate$/)
    expect(await keys.read(privateKey, 'estate')).toEqual({ privateKey, publicKey })
  }
})

test('the public part of a key that ssh-keygen made, if it is not encrypted', async () => {
  const make = (name: string, passphrase: string) => {
    const path = join(directory(), name)
    const words = ['-q', '-t', 'ed25519', '-N', passphrase, '-C', 'ada', '-f', path]
    execFileSync('ssh-keygen', words)
    return { own: readFileSync(path, 'utf8'), shown: readFileSync(`${path}.pub`, 'utf8').trim() }
  }
  const { own, shown } = make('plain', '')
  expect(await keys.read(own, 'ada')).toEqual({ privateKey: own, publicKey: shown })
  expect(await keys.read(make('locked', 'a phrase').own, 'ada')).toBeUndefined()
  for (const text of [shown, 'a key']) expect(await keys.read(text, 'ada')).toBeUndefined()
})
