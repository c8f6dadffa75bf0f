import { SettingFields } from '../core/records/settings.ts'

export const UpdateSettingsBody = SettingFields.partial().meta({ id: 'UpdateSettingsBody' })
