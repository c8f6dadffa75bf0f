import { expect, test } from 'vitest'
import { present } from '../../../../adapters/testing/present.ts'
import {
  type BackupWorld,
  backupWorld,
  givenJob,
  runJob,
} from '../../../../local/harness/backups.ts'

/** Returns a world with an agent whose certificates the backups do or do not contain. */
async function worldWithAgent(hasAuthority: boolean, state: 'pending' | 'enrolled') {
  const here = await backupWorld()
  const agent = { state, serial: null, nextSerial: null, certificateExpiresAt: null }
  const host = { id: 'h1', name: 'far', kind: 'agent' as const, tags: [], agent }
  await here.ports.hosts.create({ ...host, stacksDirectory: '/opt/stacks' })
  const { systemArchive } = here.ports
  const ports = {
    ...here.ports,
    systemArchive: { ...systemArchive, hasAuthority: async () => hasAuthority },
  }
  return { ...here, ports }
}

const warningsOf = async (here: BackupWorld, sources: object[]) =>
  (await runJob(here, await givenJob(here, { sources }))).warnings

const system = [{ kind: 'system' }]

test('warns that agents must enrol again if their authority is not in the backup', async () => {
  const warnings = await warningsOf(await worldWithAgent(false, 'enrolled'), system)
  expect(present(warnings[0])).toContain('agent-authority.pem is not backed up')
  expect(warnings).toHaveLength(1)
})

test('does not warn where the authority is there, or nothing needs it', async () => {
  expect(await warningsOf(await worldWithAgent(true, 'enrolled'), system)).toEqual([])
  expect(await warningsOf(await worldWithAgent(false, 'pending'), system)).toEqual([])
  const stack = [{ kind: 'stack', name: 'shop' }]
  expect(await warningsOf(await worldWithAgent(false, 'enrolled'), stack)).toEqual([])
})
