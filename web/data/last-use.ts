import type { SharedStorage } from './tab-lock.ts'

export interface LastUseOptions {
  /** What all tabs of the origin share. */
  storage: Pick<SharedStorage, 'getItem' | 'setItem'>
  /** Gets the events of the page. */
  page: {
    addEventListener(
      type: string,
      listener: (event: { isTrusted: boolean }) => void,
      how: { capture: true; passive: true },
    ): void
  }
  now: () => number
  /** Calls a function after a time in milliseconds. */
  later: (work: () => void, milliseconds: number) => void
  tokens: {
    /** Returns the milliseconds until the token is to be replaced, or undefined without one. */
    goodFor(): number | undefined
    /** Refreshes the session, which says when it was last used. */
    renew(): unknown
  }
}

/** What a person does on a page. Scripts scroll too, so a wheel counts and `scroll` does not. */
const signs = ['keydown', 'input', 'pointerdown', 'wheel', 'touchmove']
const stampKey = 'session.used'
/** The last use is recorded this often at most. Milliseconds. */
const precision = 1000

export type LastUse = ReturnType<typeof watchLastUse>

/**
 * Records when a person last used a page of this origin: pressed, clicked, typed or scrolled there.
 * A page that sends no requests then refreshes the session as soon as its token is to be replaced.
 */
export function watchLastUse({ storage, page, now, later, tokens }: LastUseOptions) {
  let noted = Number.NEGATIVE_INFINITY
  let isWaiting = false

  function reportInTime(): void {
    const time = tokens.goodFor()
    if (time === undefined || isWaiting) return
    isWaiting = true
    later(
      () => {
        isWaiting = false
        const left = tokens.goodFor()
        if (left !== undefined && left <= 0) tokens.renew()
      },
      Math.max(0, time),
    )
  }

  function note(): void {
    if (Math.abs(now() - noted) >= precision) {
      noted = now()
      storage.setItem(stampKey, String(noted))
    }
    reportInTime()
  }

  const onSign = ({ isTrusted }: { isTrusted: boolean }) => {
    if (isTrusted) note()
  }
  for (const sign of signs) {
    page.addEventListener(sign, onSign, { capture: true, passive: true })
  }
  return {
    /** Records that the page is used now. */
    note,
    /** Returns the whole seconds since the last use in any tab, or undefined if none is known. */
    idleSeconds(): number | undefined {
      const stamp = storage.getItem(stampKey)
      const seconds = Math.floor((now() - Number(stamp ?? Number.NaN)) / 1000)
      return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
    },
  }
}
