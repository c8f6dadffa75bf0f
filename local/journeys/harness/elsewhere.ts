import type { Page } from 'playwright-core'

/** A person on the road: another language, and another zone. */
export const elsewhereOptions = { locale: 'de-DE', timezoneId: 'Asia/Kolkata' } as const

/**
 * Chooses English, as people do in the menu of their account: tests look for English words. An
 * empty page has no storage.
 */
export const chooseEnglish = `if (origin !== 'null' && localStorage.getItem('language') === null)
  localStorage.setItem('language', 'en')`

/** Returns a script that a page runs before its own: its clock is this many milliseconds ahead. */
export const clockAhead = (ahead: number) => `{
  const Right = Date
  globalThis.Date = class Date extends Right {
    constructor(...given) {
      if (given.length === 0) super(Right.now() + ${ahead})
      else super(...given)
    }
    static now() {
      return Right.now() + ${ahead}
    }
  }
}`

/** Runs in a page before its scripts: English, and a clock that is ten minutes fast. */
export const elsewhere = `${chooseEnglish}\n${clockAhead(600_000)}`

/** Returns the time zone of the browser. */
export const zoneOf = (page: Page): Promise<string> =>
  page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone')
