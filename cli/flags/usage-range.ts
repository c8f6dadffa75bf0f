import { choiceOf } from './choice.ts'

/** The flag of a history. */
export const usageRangeFlag = {
  '--range <range>':
    'How far back: 1h by minute, 24h by ten minutes, 7d or 30d by hour; defaults to 24h',
} as const

/** Returns the query parameter for this flag. The service has the default. */
export const usageRange = (text: string | undefined) =>
  choiceOf('--range', text, ['1h', '24h', '7d', '30d'])
