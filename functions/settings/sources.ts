import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { defaultSettings, settingKeys } from '../core/records/settings.ts'
import { endpoint } from '../kit/endpoint.ts'
import { SettingSource } from './schema.ts'

const example = {
  key: 'auth.lockout_max_attempts' as const,
  value: 3,
  default: 5,
  pinned: true,
}

export default endpoint({
  summary: 'List the settings with their defaults',
  description: 'Also says which of them the configuration file or the environment sets.',
  access: 'settings:manage',
  returns: z.array(SettingSource).max(settingKeys.length),
  examples: { returns: [example] },

  async run(_input, { settings }: Needs<'settings'>) {
    const values = await settings.get()
    return settingKeys.map((key) => ({
      key,
      value: values[key],
      default: defaultSettings[key],
      pinned: settings.pinned.has(key),
    }))
  },
})
