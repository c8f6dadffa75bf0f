import { z } from 'zod'
import { SettingFields, type SettingKey, settingKeys } from '../core/records/settings.ts'

type Fields = typeof SettingFields.shape
type Resettable = { [Key in SettingKey]: z.ZodOptional<z.ZodNullable<Fields[Key]>> }

const resettable = Object.fromEntries(
  settingKeys.map((key) => {
    const field: z.ZodType = SettingFields.shape[key]
    const description = `${field.description}; \`null\` resets it to its default`
    return [key, field.nullable().optional().describe(description)]
  }),
) as unknown as Resettable

export const UpdateSettingsBody = z.strictObject(resettable).meta({ id: 'UpdateSettingsBody' })

const Value = z.union([z.number(), z.boolean(), z.array(z.string())])

export const SettingSource = z
  .object({
    key: z.enum(settingKeys).describe('Key of the setting'),
    value: Value.describe('The value in force'),
    default: Value.describe('The value that it has while nothing sets it'),
    pinned: z
      .boolean()
      .describe(
        'Whether the configuration file or the environment sets it: `PUT` cannot change it',
      ),
  })
  .meta({ id: 'SettingSource' })
