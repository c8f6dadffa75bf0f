import { settingVariable } from '../../adapters/node/config/pinned-settings.ts'
import { variableFacts } from '../../adapters/node/config/variables.ts'
import {
  defaultSettings,
  SettingFields,
  settingKeys,
} from '../../functions/core/records/settings.ts'
import { withGenerated } from './generated.ts'

/** Returns the page of the configuration with its tables generated from the code. */
export function configurationPage(page: string): string {
  return withGenerated(
    withGenerated(page, 'variables', variableTable()),
    'settings',
    settingTable(),
  )
}

function variableTable(): string {
  const rows = variableFacts().map(({ name, byDefault, description }) => {
    const shown = byDefault === undefined || byDefault === '' ? '' : `\`${byDefault}\``
    return `| \`${name}\` | ${shown} | ${description} |`
  })
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
}

function settingTable(): string {
  const rows = settingKeys.map((key) => {
    const value = defaultSettings[key]
    const shown = Array.isArray(value) ? 'none' : `\`${value}\``
    const { description } = SettingFields.shape[key]
    return `| \`${key}\` | \`${settingVariable(key)}\` | ${shown} | ${description ?? ''} |`
  })
  return ['| setting | variable | default | meaning |', '|---|---|---|---|', ...rows].join('\n')
}
