import { t } from '../../text/text.ts'

/** Returns what a step does, in words. */
export const actionWord = (action: string): string =>
  Object.hasOwn(t.stack.actionWords, action)
    ? t.stack.actionWords[action as keyof typeof t.stack.actionWords]
    : action
