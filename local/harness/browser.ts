/** Where a walk over redirects ended: the first answer that leads nowhere, or the first address that is not to be asked. */
export interface Walk {
  status: number
  /** The last address: one that was asked, or, with `stop`, one that was not. */
  url: string
  text: string
  /** Every address on the way. */
  visited: string[]
}

/** Somebody's browser: it keeps cookies and follows redirects. */
export interface Browser {
  /** Goes there, as that person at any provider; `stop` says which addresses are not asked for. */
  go(url: string, person: string, stop?: (url: string) => boolean): Promise<Walk>
}

/** A browser without cookies. */
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
