import type { z } from 'zod'
import { requireEveryHost, requirePermissions } from '../core/access/grant.ts'
import { conflict } from '../core/errors.ts'
import { type LockPorts, withLock } from '../core/leases/with-lock.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Settings } from '../core/ports/settings.ts'
import type { Caller } from '../core/records/account.ts'
import {
  defaultSettings,
  type SettingChanges,
  SettingFields,
  type SettingKey,
  type SettingValues,
} from '../core/records/settings.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { settingsEdition } from './edition.ts'
import { UpdateSettingsBody } from './schema.ts'

/** What these settings list needs no `stacks:privileged` any more. */
const grants = [
  ...(['registry.allow', 'stacks.enterable_binds'] as const),
  ...(['stacks.shared_volumes', 'stacks.shared_networks'] as const),
]

export default endpoint({
  summary: 'Update settings',
  description:
    'Omitted settings keep their values, and `null` resets one to its default. A value that is in force already is not stored, so that the response of `GET /settings` can be changed and sent back. ' +
    'Takes effect in every process within a second. Settings from the file or the environment cannot be changed here.',
  access: 'settings:manage',
  takesIfMatch: true,
  body: UpdateSettingsBody,
  returns: SettingFields,
  errors: {
    403:
      'Your credential is limited to some hosts, or `registry.allow`, `stacks.enterable_binds`, ' +
      '`stacks.shared_volumes` or `stacks.shared_networks` needs `stacks:privileged`',
    409: 'The configuration file or the environment sets one of them',
  },
  examples: { body: { 'auth.lockout_max_attempts': 3 }, returns: defaultSettings },

  async run({ body, caller, ifMatch }, ports: LockPorts & Needs<'settings'>) {
    requireEveryHost(caller, 'settings')
    return withLock('settings', ports, async (ensureLock) => {
      const { settings } = ports
      const before = await settings.fresh()
      ifMatch.check(settingsEdition(before))
      const changes = changesOf(body, before)
      refuseGrants(changes, caller)
      refusePinned(changes, settings)
      ensureLock()
      await settings.save(changes)
      const after = await settings.get()
      return versioned(after, settingsEdition(after))
    })
  },
})

function refuseGrants(changes: SettingChanges, caller: Caller): void {
  const granting = grants.filter((key) => changes[key] !== undefined)
  if (granting.length === 0) return
  requirePermissions(caller, ['stacks:privileged'], `${granting}: what it allows`)
}

function refusePinned(changes: SettingChanges, { pinned }: Pick<Settings, 'pinned'>): void {
  const keys = Object.keys(changes).filter((key) => pinned.has(key))
  if (keys.length === 0) return
  throw conflict(`set by the configuration file or the environment: ${keys.join(', ')}`, {
    reason: 'pinned',
  })
}

/** Returns what a body changes: without the values that are in force. */
function changesOf(
  body: z.output<typeof UpdateSettingsBody>,
  values: SettingValues,
): SettingChanges {
  const isOther = (key: string, value: unknown) =>
    JSON.stringify(value) !== JSON.stringify(values[key as SettingKey])
  return Object.fromEntries(Object.entries(body).filter(([key, value]) => isOther(key, value)))
}
