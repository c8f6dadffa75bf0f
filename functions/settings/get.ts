import type { Needs } from '../core/ports/ports.ts'
import { defaultSettings, SettingFields } from '../core/records/settings.ts'
import { endpoint } from '../kit/endpoint.ts'

export default endpoint({
  summary: 'Show the settings',
  description:
    'Returns the effective values: the environment and the file override saved values, which override the defaults.',
  access: 'settings:manage',
  returns: SettingFields,
  examples: { returns: defaultSettings },

  run: (_input, ports: Needs<'settings'>) => ports.settings.get(),
})
