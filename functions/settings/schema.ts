import { SettingFields } from '../core/settings.ts'

export const UpdateSettingsBody = SettingFields.partial().meta({ id: 'UpdateSettingsBody' })
