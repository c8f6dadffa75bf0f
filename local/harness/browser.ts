/**
 * Where a walk over redirects ended: the first response that is no redirect, or the first URL for
 * which `stop` returned true.
 */
export interface RedirectResult {
  status: number
  /** The last URL. It was not requested if `stop` ended the walk. */
  url: string
  text: string
  /** Every URL on the way. */
  visited: string[]
}

/** A user's browser: it keeps cookies and follows redirects. */
export interface Browser {
  /**
   * Opens a URL as this person at every provider. URLs for which `stop` returns true are not
   * requested.
   */
  go(url: string, person: string, stop?: (url: string) => boolean): Promise<RedirectResult>
}

/** Returns a browser without cookies. */
export function newBrowser(): Browser {
  const cookies = new Map<string, string>()
  return {
    async go(start, person, stop = () => false) {
      const visited: string[] = []
      for (let url = start; ; ) {
        visited.push(url)
        if (stop(url)) return { status: 0, url, text: '', visited }
        const { origin } = new URL(url)
        const headers = { 'x-person': person, cookie: cookiesOf(cookies, origin) }
        const answer = await fetch(url, { redirect: 'manual', headers })
        for (const line of answer.headers.getSetCookie()) keep(cookies, origin, line)
        const location = answer.headers.get('location')
        const text = await answer.text()
        if (!location || visited.length > 20) return { status: answer.status, url, text, visited }
        url = new URL(location, url).href
      }
    },
  }
}

function keep(cookies: Map<string, string>, origin: string, line: string): void {
  const [pair = ''] = line.split(';')
  const [name = '', value = ''] = pair.split('=')
  cookies.set(`${origin} ${name}`, value)
}

const cookiesOf = (cookies: Map<string, string>, origin: string): string =>
  [...cookies]
    .filter(([key, value]) => key.startsWith(`${origin} `) && value !== '')
    .map(([key, value]) => `${key.slice(origin.length + 1)}=${value}`)
    .join('; ')
