import { numberLocale, timeLocale } from '../text/text.ts'

type Made = Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat

/** To make one takes a hundred times as long as to use it, and a long table uses hundreds. */
const made = new Map<string, Made>()

function reuse<T extends Made>(kind: string, locale: string, make: () => T): T {
  const key = `${locale} ${kind}`
  const format = (made.get(key) as T | undefined) ?? make()
  made.set(key, format)
  return format
}

/** Returns the format of numbers in the reader's language. `digits`: the most after the point. */
export function numberFormat(digits: number): Intl.NumberFormat {
  const locale = numberLocale()
  const options = { maximumFractionDigits: digits }
  return reuse(`number ${digits}`, locale, () => new Intl.NumberFormat(locale, options))
}

/** Returns the format of times in the reader's language, region and time zone. */
export function timeFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const locale = timeLocale()
  const kind = `time ${JSON.stringify(options)}`
  return reuse(kind, locale, () => new Intl.DateTimeFormat(locale, options))
}

/** Returns the format of "4 hours ago" in the reader's language. */
export function relativeFormat(): Intl.RelativeTimeFormat {
  const locale = numberLocale()
  return reuse('relative', locale, () => new Intl.RelativeTimeFormat(locale, { numeric: 'always' }))
}
