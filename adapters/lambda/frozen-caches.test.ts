import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { cacheHosts } from '../node/caches/hosts-cache.ts'
import { cacheSettings } from '../node/caches/settings-cache.ts'
import { keyFiles } from '../node/keys/key-files.ts'
import { openSigningKeys } from '../node/keys/signing-keys.ts'
import { systemClock } from '../node/process/clock.ts'
import { agentHost } from '../testing/memory/hosts.ts'
import { memoryPorts } from '../testing/memory/stores.ts'
import { requestClock } from './request-clock.ts'

const directory = mkdtempSync(join(tmpdir(), 'frozen-'))

afterEach(() => rmSync(directory, { recursive: true, force: true }))

/**
 * Returns the clock of a function on a machine whose monotonic clock stands still while the process
 * is frozen, and `thaw`, which ends that time with a request.
 */
function frozenProcess() {
  const [now, monotonic] = [Date.now(), performance.now()]
  const clock = requestClock({ ...systemClock, now: () => now, monotonic: () => monotonic })
  return { clock, thaw: () => clock.received(now + 60_000) }
}

test('settings, hosts and signing keys are read again after a freeze', async () => {
  const { clock, thaw } = frozenProcess()
  const { settings, hosts } = memoryPorts()
  const [knownSettings, knownHosts] = [cacheSettings(settings, clock), cacheHosts(hosts, clock)]
  const keys = keyFiles(directory)
  const signing = await openSigningKeys(keys, clock)
  const read = async () => ({
    hosts: (await knownHosts.list()).length,
    attempts: (await knownSettings.get())['auth.lockout_max_attempts'],
    key: (await signing.current()).id,
  })
  const before = await read()
  // Another process changes all of them.
  await hosts.create(agentHost('nas'))
  await settings.save({ 'auth.lockout_max_attempts': before.attempts + 1 })
  await (await openSigningKeys(keys, systemClock)).rotate()
  expect(await read()).toEqual(before)
  expect(await knownSettings.fresh()).toEqual(await settings.get())
  thaw()
  const after = await read()
  expect(after).toMatchObject({ hosts: before.hosts + 1, attempts: before.attempts + 1 })
  expect(after.key).not.toBe(before.key)
})
