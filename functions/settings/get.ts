import type { Needs } from '../core/ports/ports.ts'
import { defaultSettings, SettingFields } from '../core/records/settings.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { settingsEdition } from './edition.ts'

export default endpoint({
  summary: 'Show the settings',
  description:
    'Returns the effective values: the environment and the file override saved values, which override the defaults.',
  access: 'settings:manage',
  returns: SettingFields,
  examples: { returns: defaultSettings },

  async run(_input, { settings }: Needs<'settings'>) {
    const values = await settings.get()
    return versioned(values, settingsEdition(values))
  },
})
