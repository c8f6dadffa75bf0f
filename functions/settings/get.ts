import type { Needs } from '../core/ports.ts'
import { defaultSettings, SettingFields } from '../core/settings.ts'
import { endpoint } from '../kit/endpoint.ts'

export default endpoint({
  summary: 'Show the settings',
  description:
    'The values in force: those of file and environment over the saved ones over the defaults.',
  access: 'settings:manage',
  returns: SettingFields,
  examples: { returns: defaultSettings },

  run: (_input, ports: Needs<'settings'>) => ports.settings.get(),
})
