import type { SettingValues } from '../core/records/settings.ts'
import { editionOf } from '../kit/entity-tag.ts'
import type { Edition } from '../kit/if-match.ts'

/** Returns the edition of the settings: every value in force. */
export const settingsEdition = (values: SettingValues): Edition => editionOf(values)
