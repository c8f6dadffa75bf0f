import { locale } from '../text/text.ts'

type Made = Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat

/** To make one takes a hundred times as long as to use it, and a long table uses hundreds. */
const made = new Map<string, Made>()

function reuse<T extends Made>(kind: string, make: (language: string) => T): T {
  const key = `${locale()} ${kind}`
  const format = (made.get(key) as T | undefined) ?? make(locale())
  made.set(key, format)
  return format
}

/** Returns the format of numbers in the reader's language. `digits`: the most after the point. */
export const numberFormat = (digits: number): Intl.NumberFormat =>
  reuse(
    `number ${digits}`,
    (language) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }),
  )

/** Returns the format of times in the reader's language and time zone. */
export const timeFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  reuse(`time ${JSON.stringify(options)}`, (language) => new Intl.DateTimeFormat(language, options))

/** Returns the format of "4 hours ago" in the reader's language. */
export const relativeFormat = (): Intl.RelativeTimeFormat =>
  reuse('relative', (language) => new Intl.RelativeTimeFormat(language, { numeric: 'always' }))
