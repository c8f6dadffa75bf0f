import { ownEntry } from '../../data/own-entry.ts'
import { t } from '../../text/text.ts'

/**
 * Returns an action in people's words, with what it was about: "Deploy shop". It says what was
 * tried; the outcome says what became of it. An action without words is returned as it is.
 */
export function actionWords(action: string, subject: string): string {
  const words = ownEntry<string>(t.audit.actions, action)
  if (words === undefined) return action
  return words.replace('{}', subject).replace(/\s+/g, ' ').trim()
}
